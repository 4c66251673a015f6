import { upgrade } from "./old-major.ts";

/**
 * A program: upgrades the database of a data folder and kills itself at a step, as `kill -9` would. With `full` for a step it believes that
 * the disk has room.
 */
const [dataDir = "", cutAt = ""] = process.argv.slice(2);
process.stdout.write("begins\n");
await upgrade(dataDir, {
  ...(cutAt === "full" ? { freeBytes: async () => 1e15 } : {}),
  async atStep(step) {
    if (step === cutAt) process.kill(process.pid, "SIGKILL");
  },
});
