import type { Given } from "../command.ts";
import { requireInstalled } from "../commands/process/create-shared-runtime.ts";
import { watchSignals } from "../commands/process/watch-signals.ts";
import type { Settings } from "../config.ts";
import { openDataFolder, requireRestored } from "../embedded/index.ts";
import { announceStart, makeLog } from "../runtime/index.ts";
import { upgradeDatabase } from "./upgrade-database.ts";

export async function run(settings: Settings, { values }: Given): Promise<number> {
  if (settings.DATABASE_URL !== null)
    throw new Error(
      "DATABASE_URL is your own PostgreSQL: upgrade it with its own tools, such as pg_upgrade. Tillpost runs on 15 and newer.",
    );
  requireInstalled(settings);
  const dataFolder = openDataFolder(settings.TILLPOST_DATA_DIR);
  const ending = new AbortController();
  void watchSignals().first.then(() => ending.abort());
  try {
    requireRestored(dataFolder);
    await announceStart(dataFolder);
    await upgradeDatabase(dataFolder, {
      settings,
      log: makeLog({ level: "warn", pretty: true }),
      say: (line) => process.stdout.write(`${line}\n`),
      oldPrograms: typeof values["old-programs"] === "string" ? values["old-programs"] : null,
      mayFetch: values["fetch"] === true,
      leaveOthers: values["leave-others"] === true,
      despiteFaults: values["despite-faults"] === true,
      signal: ending.signal,
    });
    return 0;
  } finally {
    await dataFolder.release();
  }
}
