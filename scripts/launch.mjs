// Starts a release's server or one of its commands: this process becomes it, so that a service manager or a container only has one process
// to watch and stop.
import { fileURLToPath } from "node:url";
import { serverFlags } from "./node-flags.mjs";

const main = fileURLToPath(new URL("../server/src/main.ts", import.meta.url));
process.execve(process.execPath, [process.execPath, ...serverFlags(), main, ...process.argv.slice(2)], process.env);
