import { parentPort, workerData } from "node:worker_threads";
import { realSurroundings } from "../net/real-surroundings.ts";
import { CallDesk } from "./call-desk.ts";
import type { Command } from "./messages.ts";
import type { AgentOptions } from "./user-agent.ts";

/** The calling thread: signalling and sound keep their pace here, whatever the serving thread is busy with. */
const desk = new CallDesk(realSurroundings(), workerData as AgentOptions, (report) => parentPort?.postMessage(report));
parentPort?.on("message", (command: Command) => desk.run(command));
await desk.open();
