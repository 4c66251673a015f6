import { migrate } from "#platform/index.ts";
import type { Settings } from "../config.ts";
import { makeLog, openHouse } from "../house/index.ts";
import { migrationsFolder } from "../migrations.ts";

export async function run(settings: Settings): Promise<number> {
  const house = await openHouse(settings, { log: makeLog({ level: "warn", pretty: true }), share: true });
  try {
    const applied = await migrate(house.databaseUrl, migrationsFolder);
    process.stdout.write(applied.length === 0 ? "The database is up to date.\n" : `Applied ${applied.join(", ")}.\n`);
    return 0;
  } finally {
    await house.close();
  }
}
