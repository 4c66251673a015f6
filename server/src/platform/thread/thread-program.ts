import { getPriority, setPriority } from "node:os";
import { workerData } from "node:worker_threads";

/** On a busy machine, the serving thread has priority. On systems other than Linux, a priority applies to the whole process. */
const politeness = 10;

/** How every thread begins: with low priority, then as its program. Messages posted in the meantime wait for the program. */
// A process with an even lower priority keeps it, because only the superuser could raise it.
if (process.platform === "linux" && getPriority() < politeness) setPriority(politeness);
await import((workerData as { program: string }).program);
