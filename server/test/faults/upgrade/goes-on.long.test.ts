import { join } from "node:path";
import { makeOldDataFolder, runUpgraded, upgrade } from "#test/support/old-major/old-major.ts";
import { temporaryFolder } from "#test/support/programs/program.ts";
import { testGoingOn } from "#test/support/upgrade/test-going-on.ts";
import { readWritten } from "#test/support/upgrade/written.ts";

/**
 * A database with everything in progress, written on the previous major of PostgreSQL and upgraded to this one: all of it continues and
 * completes.
 */
const written = readWritten(new URL("../../support/upgrade/written-by-10a5f56.json.gz", import.meta.url));
const folder = temporaryFolder();
const dataDir = join(folder.path, "data");
await makeOldDataFolder(dataDir, written);
await upgrade(dataDir);
const server = await runUpgraded(dataDir);
const drop = async () => {
  await server.stop();
  folder.remove();
};
await testGoingOn(written, { own: { url: server.url, drop }, untilTheEnd: true });
