import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type Taken, takeBackup } from "#app/backup/take-backup.ts";
import { anchorFile } from "#app/runtime/index.ts";
import { chainAudit } from "#audit/index.ts";
import { temporaryFolder } from "#test/support/programs/program.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";
import { openForCommands } from "#test/support/programs/stopped-app.ts";
import { eventually } from "#test/support/time/eventually.ts";

/** An installation whose audit log is chained, and work that is done while its database is copied. Removed after the test file. */
export async function copiedWorld() {
  const folder = temporaryFolder();
  const dataDir = await startedFolder(join(folder.path, "data"));
  const backups = join(folder.path, "backups");
  const env = { BACKUP_DIR: backups, DISK_RESERVE_MB: "32" };
  const runtime = await openForCommands(dataDir, env);
  mkdirSync(backups);
  while ((await chainAudit(runtime.ctx)) > 0);
  afterAll(async () => {
    await runtime.close();
    folder.remove();
  });
  return {
    ...{ dataDir, backups, env, runtime, anchors: anchorFile(dataDir) },

    /** Takes a backup, and runs `work` again and again while the database is copied. */
    async duringCopy(work: () => Promise<void>): Promise<Taken> {
      let isDone = false;
      const isCopying = () =>
        readdirSync(backups).some((name) => existsSync(join(backups, name, "database.tar.zst")) && name.startsWith("."));
      const taking = takeBackup(runtime, backups).finally(() => (isDone = true));
      taking.catch(() => {});
      await eventually("the database is copied", async () => {
        if (isCopying()) await work();
        return isDone;
      });
      return await taking;
    },
  };
}
