import { getPriority, setPriority } from "node:os";
import { workerData } from "node:worker_threads";

/** On a busy machine what serves goes first. Elsewhere than on Linux a priority is that of the whole process. */
const politeness = 10;

/** How every thread begins: politely, then as the program that it is to be. What was posted meanwhile waits for the program. */
// A process that gives way more already keeps that, which only the superuser could take back.
if (process.platform === "linux" && getPriority() < politeness) setPriority(politeness);
await import((workerData as { program: string }).program);
