import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { startNightly } from "#app/backup/nightly/index.ts";
import { readBackupState } from "#app/backup/state/backup-state.ts";
import { makeLog, type Runtime } from "#app/runtime/index.ts";
import { programEnvironment, temporaryFolder } from "#test/support/programs/program.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";
import { openForCommands } from "#test/support/programs/stopped-app.ts";
import { eventually } from "#test/support/time/eventually.ts";

/** An installation that keeps two backups, its nightly backup and what that logs. Removed after the test file. */
export async function nightlyWorld() {
  const folder = temporaryFolder();
  const dataDir = await startedFolder(join(folder.path, "data"));
  const backups = join(folder.path, "backups");
  const env = { BACKUP_DIR: backups, BACKUP_KEEP: "2", DISK_RESERVE_MB: "32" };
  const lines: string[] = [];
  const log = makeLog({ level: "info", pretty: false, write: (line) => lines.push(line) });
  const runtime = await openForCommands(dataDir, env);
  const { ctx, settings } = runtime;
  afterAll(async () => {
    await runtime.close();
    folder.remove();
  });
  return {
    ...{ folder, dataDir, backups, env, lines, log, runtime },

    taken: () => readBackupState(dataDir).taken,
    backupNames: () => readdirSync(backups).filter((name) => name.startsWith("2")),

    /** Runs the nightly backup until that holds, with settings of its own. */
    async nightUntil(what: string, holds: () => boolean, own: Partial<Runtime["settings"]> = {}): Promise<void> {
      const nightly = startNightly(
        { ctx, log, settings: { ...settings, ...own } },
        { everyMs: 20, env: programEnvironment({ dataDir, port: settings.PORT, env }) },
      );
      await eventually(what, holds);
      await nightly.stop();
    },
  };
}
