import type { Settings } from "../config.ts";
import { type House, makeLog, openHouse } from "../house/index.ts";
import { pendingMigrations } from "../migrations.ts";
import { logOptions } from "./log-options.ts";

/** A house for one of several processes: on a database of the operator's, already migrated, or a sentence about what is missing. */
export async function openSharedHouse(settings: Settings, command: string): Promise<House> {
  if (settings.DATABASE_URL === null) {
    throw new Error(`\`${command}\` shares a database with other processes and needs DATABASE_URL. The embedded database belongs to one process: \`serve\`.`);
  }
  const house = await openHouse(settings, { log: makeLog(logOptions(settings)) });
  const pending = await pendingMigrations(house.ctx.db);
  if (pending.length === 0) return house;
  await house.close();
  throw new Error(`The database lacks ${pending.join(", ")}. Run \`npm run tillpost -- migrate\` first.`);
}
