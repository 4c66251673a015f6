import { parentPort, workerData } from "node:worker_threads";
import { realSurroundings } from "../net/real-surroundings.ts";
import { CallController } from "./call-controller.ts";
import type { Command } from "./messages.ts";
import type { AgentOptions } from "./user-agent.ts";

/** The calling thread: signaling and audio keep their timing here, however busy the serving thread is. */
const controller = new CallController(realSurroundings(), workerData as AgentOptions, (report) => parentPort?.postMessage(report));
parentPort?.on("message", (command: Command) => controller.run(command));
await controller.open();
