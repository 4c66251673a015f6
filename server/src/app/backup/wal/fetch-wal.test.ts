import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { writeBackup } from "#test/support/backups/written-backup.ts";
import { s3Store } from "#test/support/network/s3-store.ts";
import { openBucket } from "../bucket/open-bucket.ts";
import { fetchWal } from "./fetch-wal.ts";
import { openWalFolder, writeWalPiece } from "./wal-pieces.ts";

const folder = mkdtempSync(join(tmpdir(), "tillpost-fetched-"));
afterAll(() => rmSync(folder, { recursive: true }));
const store = await s3Store();
const credentials = { region: "us-east-1", accessKeyId: "a", secretAccessKey: "b", now: () => new Date("2026-11-20T08:00:00Z") };
const bucket = openBucket({ ...credentials, endpoint: store.endpoint, bucket: "backups" });
const wal = join(folder, "wal", "7000000000000000001");
const fetchAll = (backup: string) => fetchWal(bucket, { backup, until: "latest", folder, identity: null, reserveBytes: 0 });

it("a piece that is on this machine isn't fetched, unless it's damaged", async () => {
  const backup = writeBackup(folder, "2026-11-20T03-00-00.000Z", { lsn: "0/1000000" });
  await openWalFolder(wal);
  const piece = { timeline: 1, start: 0x1000000n, end: 0x1001000n, parts: [Buffer.alloc(0x1000, 7)] };
  const name = await writeWalPiece(wal, piece, { recipient: null, requireRoom: async () => {} });
  const good = readFileSync(join(wal, name));
  store.objects.set(`wal/7000000000000000001/${name}`, Buffer.from("another"));
  await fetchAll(backup);
  expect(readFileSync(join(wal, name)).equals(good)).toBe(true);
  store.objects.set(`wal/7000000000000000001/${name}`, good);
  writeFileSync(join(wal, name), good.subarray(0, -1));
  await fetchAll(backup);
  expect(readFileSync(join(wal, name)).equals(good)).toBe(true);
});

it("a manifest that names a folder in place of a database is refused", async () => {
  const piece = "00000001-0000000001000000-0000000001001000.wal.zst";
  store.objects.set(`wal/../../escaped/${piece}`, Buffer.from("evil"));
  const backup = writeBackup(folder, "2026-11-21T03-00-00.000Z", { lsn: "0/1000000", system_id: "../../escaped" });
  await expect(fetchAll(backup)).rejects.toThrow("no valid id of its database");
  expect(existsSync(join(folder, "..", "escaped"))).toBe(false);
});
