import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databaseName, manifestName, manifestOf, sumsName, sumsOf } from "#app/backup/archive/manifest.ts";
import { writeBackupState } from "#app/backup/state/backup-state.ts";
import type { Runtime } from "#app/runtime/index.ts";

interface Written {
  /** The size that it says its archive has, without one. */
  bytes?: number;
  /** What is in its archive's file. */
  content?: string;
  /** Where its database's write-ahead log was. */
  lsn?: string;
  system_id?: string;
}

/** Writes the folder of a backup of this name, which can't be restored. Returns its path. */
export function writeBackup(
  folder: string,
  name: string,
  { bytes = 1, content, lsn = "0/1000000", system_id = "7000000000000000001" }: Written = {},
): string {
  const path = join(folder, name);
  const place = { lsn, timeline: 1 };
  const archive = content ?? "";
  const sha256 = createHash("sha256").update(archive).digest("hex");
  const manifest = manifestOf({
    started_at: "2026-11-20T03:00:00.000Z",
    finished_at: "2026-11-20T03:00:01.000Z",
    migration: null,
    postgres: { major: 18, system_id, start: place, end: place },
    recipient: null,
    master_keys: [],
    uploads: "in this backup",
    files: [{ name: databaseName, bytes: content?.length ?? bytes, sha256, holds_bytes: bytes }],
  });
  const text = JSON.stringify(manifest);
  mkdirSync(path, { recursive: true });
  if (content !== undefined) writeFileSync(join(path, databaseName), content);
  writeFileSync(join(path, manifestName), text);
  writeFileSync(join(path, sumsName), sumsOf(manifest.files, text));
  return path;
}

/** The same, as if an installation had just taken it, which ends any failure. Returns its path. */
export async function writeNewest({ ctx, settings }: Pick<Runtime, "ctx" | "settings">): Promise<string> {
  const at = ctx.now().toISOString();
  const content = "rows";
  const path = writeBackup(settings.BACKUP_DIR, at.replaceAll(":", "-"), { content });
  const taken = { at, path, bytes: content.length };
  await writeBackupState(settings.TILLPOST_DATA_DIR, { taken, wal_began: undefined, failed: undefined, told: undefined });
  return path;
}
