import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeBackupState } from "#app/backup/state/backup-state.ts";

/** Creates a folder to restore a backup into, with what is at the top of a disk and what a verification of the backup leaves. */
export async function makeTarget(into: string, backup: string): Promise<void> {
  for (const name of ["lost+found", "verify"]) mkdirSync(join(into, name), { recursive: true, mode: 0o711 });
  const taken = { at: "2999-01-01T00:00:00.000Z", path: "of-another", bytes: 1 };
  await writeBackupState(into, { taken, uncopied: true, verified: { at: taken.at, path: backup } });
}

/** Puts into such a folder what a restore of the backup leaves that is killed while it puts the database there. */
export function leaveCutOff(into: string, backup: string): void {
  writeFileSync(join(into, "restore.unfinished"), `${backup}\n`);
  writeFileSync(join(into, "postgres.json"), JSON.stringify({ password: "of-the-killed-one", folder: null, history: "0123456789abcdef" }));
  mkdirSync(join(into, "postgres.unfinished-01234567"));
}
