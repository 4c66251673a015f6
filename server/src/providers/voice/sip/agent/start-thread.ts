import { Worker } from "node:worker_threads";
import { realSurroundings } from "../net/real-surroundings.ts";
import type { Command, Report } from "./messages.ts";
import type { AgentOptions } from "./user-agent.ts";

/** Where calls run: a separate thread, or the current one in tests. */
export interface Engine {
  /** The clock of report times. */
  now(): number;
  post(command: Command): void;
  end(): Promise<void>;
}

export interface EngineUser {
  report(report: Report): void;
  /** The engine is gone, and every call with it. */
  lost(reason: string): void;
}

export type StartEngine = (options: AgentOptions, user: EngineUser) => Engine;

/** Starts the calling thread. It gets no environment, and has its own memory limit. */
export const startThread: StartEngine = (options, user) => {
  const worker = new Worker(new URL("./thread-program.ts", import.meta.url), {
    workerData: options,
    env: {},
    execArgv: ["--disable-warning=ExperimentalWarning"],
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  let isEnding = false;
  worker.on("message", (report: Report) => user.report(report));
  worker.on("error", (error) => user.lost(error instanceof Error ? error.message : String(error)));
  worker.on("exit", (code) => {
    if (!isEnding) user.lost(`it ended with code ${code}`);
  });
  return {
    now: realSurroundings().now,
    post: (command) => worker.postMessage(command, command.do === "pcm" ? [command.samples.buffer as ArrayBuffer] : []),
    end: async () => {
      isEnding = true;
      await worker.terminate();
    },
  };
};
