import { join } from "node:path";
import { temporaryFolder } from "../program.ts";
import { testGoingOn } from "../upgrade/test-going-on.ts";
import { readWritten } from "../upgrade/written.ts";
import { makeOldHome, runUpgraded, upgrade } from "./old-major.ts";

/**
 * A database with everything in progress, written on the previous major of PostgreSQL and upgraded to this one: all of it continues and
 * completes.
 */
const written = readWritten(new URL("../upgrade/written-by-10a5f56.json.gz", import.meta.url));
const folder = temporaryFolder();
const dataDir = join(folder.path, "data");
await makeOldHome(dataDir, written);
await upgrade(dataDir);
const server = await runUpgraded(dataDir);
const drop = async () => {
  await server.stop();
  folder.remove();
};
await testGoingOn(written, { own: { url: server.url, drop }, untilTheEnd: true });
