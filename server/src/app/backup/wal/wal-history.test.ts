import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { writeBackup } from "#test/support/backups/written-backup.ts";
import { readManifest } from "../archive/manifest.ts";
import { tidyWal, walFolder } from "./wal-history.ts";

it("the write-ahead log is kept from the first backup on, also if a clock that was ahead gave that one a later name", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tillpost-wal-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeBackup(folder, "2999-01-01T00-00-00.000Z", { lsn: "0/2000000" });
  const { postgres } = await readManifest(writeBackup(folder, "2026-11-20T03-00-00.000Z", { lsn: "0/3000000" }));
  const wal = walFolder(folder, postgres);
  mkdirSync(wal, { recursive: true });
  const pieces = [1, 2, 3].map((from) => `00000001-000000000${from}000000-000000000${from + 1}000000.wal.zst`);
  for (const name of pieces) writeFileSync(join(wal, name), "");
  await tidyWal(folder, postgres);
  expect(readdirSync(wal).sort()).toEqual(pieces.slice(1));
});
