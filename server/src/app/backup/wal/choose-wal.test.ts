import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { writeBackup } from "#test/support/backups/written-backup.ts";
import { readIdentity } from "../archive/encrypt.ts";
import { makeIdentity } from "../archive/make-identity.ts";
import { readManifest } from "../archive/manifest.ts";
import { chooseWhole, type Until } from "./choose-wal.ts";
import { listWalPieces, openWalFolder, writeWalPiece } from "./wal-pieces.ts";

const folder = mkdtempSync(join(tmpdir(), "tillpost-wal-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);
const manifest = await readManifest(writeBackup(folder, "2026-11-20T03-00-00.000Z", { lsn: "0/1000000" }));
const later = new Date("2026-11-20T09:00:00Z");

for (const name of ["first", "second"]) await makeIdentity(at(name));
writeFileSync(at("both"), readFileSync(at("second"), "utf8") + readFileSync(at("first"), "utf8"));
await openWalFolder(at("wal"));
for (const [start, key] of [
  [0x1000000n, "first"],
  [0x1001000n, "first"],
  [0x1002000n, "second"],
] as const)
  await writeWalPiece(
    at("wal"),
    { timeline: 1, start, end: start + 0x1000n, parts: [Buffer.alloc(0x1000, 7)] },
    { recipient: /age1\w+/.exec(readFileSync(at(key), "utf8"))?.[0] ?? null, requireRoom: async () => {} },
  );
const pieces = await listWalPieces(at("wal"));

async function chosen(until: Until, key: string): Promise<{ count: number; damage: string | null }> {
  const choosing = { from: "the backup", where: "the folder", manifest, until, identity: await readIdentity(at(key)) };
  const { pieces: whole, damage } = await chooseWhole(pieces, choosing);
  expect(whole).toEqual(pieces.slice(0, whole.length));
  return { count: whole.length, damage };
}

it("after another public key was set, its private key is only needed for what was encrypted to it", async () => {
  const damage = expect.stringMatching(/0001002000-\S+ can't be read\. The key in \S+first doesn't open this backup/);
  for (const until of [later, "gap"] as const) expect(await chosen(until, "first")).toEqual({ count: 2, damage });
  await expect(chosen("latest", "first")).rejects.toThrow("or to an earlier time.");
  await expect(chosen(later, "second")).rejects.toThrow(/0001000000-\S+ can't be read\. .* Nothing was restored\./);
});

it("a file with both private keys opens all of it", async () => {
  for (const until of [later, "latest"] as const) expect(await chosen(until, "both")).toEqual({ count: 3, damage: null });
  await expect(chosen("gap", "both")).rejects.toThrow("has no gap after this backup");
});

it("a damaged piece is the beginning of a gap", async () => {
  const [, { path } = { path: "" }] = pieces;
  const bytes = readFileSync(path);
  bytes[bytes.length - 5] = (bytes[bytes.length - 5] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  const damage = expect.stringContaining(`${path} is damaged`);
  for (const until of [later, "gap"] as const) expect(await chosen(until, "both")).toEqual({ count: 1, damage });
  await expect(chosen("latest", "both")).rejects.toThrow(`${path} is damaged`);
});
