import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { anchorAudit } from "#audit/index.ts";
import { copiedWorld } from "#test/support/backups/copied-world.ts";
import { runHere } from "#test/support/programs/run-here.ts";

const { dataDir, backups, env, runtime, anchors, duringCopy } = await copiedWorld();
const { ctx } = runtime;

it("an anchor that is due while the database is copied is written afterwards, so the backup's database and anchors agree", async () => {
  // The anchors are copied before the database.
  let isAnchored = false;
  const { path } = await duringCopy(async () => {
    isAnchored ||= await anchorAudit(ctx, anchors);
  });
  const { code, output } = await runHere({ dataDir, command: ["restore", "--verify", path], env });
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining("This backup restores.") });
  expect(isAnchored || (await anchorAudit(ctx, anchors))).toBe(true);
});

it("write-ahead log of backups that were removed manually makes room for the next one before that is written", async () => {
  const wal = join(backups, "wal", "7000000000000000001");
  mkdirSync(wal, { recursive: true });
  writeFileSync(join(wal, "00000001-0000000001000000-0000000002000000.wal.zst"), "");
  let isThere: boolean | undefined;
  await duringCopy(async () => void (isThere ??= existsSync(wal)));
  expect(isThere).toBe(false);
});
