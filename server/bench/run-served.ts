import { fork } from "node:child_process";
import { once } from "node:events";
import { answerOf } from "./answer-of.ts";
import type { Measured, Plan } from "./load.ts";
import type { Serve } from "./served.ts";

const start = (await import(new URL("../../scripts/node-flags.mjs", import.meta.url).href)) as { serverFlags(): string[] };
/** As `npm start` runs the server; the ceilings run alike. */
export const serverFlags = start.serverFlags();
/** Enough that two full batches can be under way. */
const connections = 128;

export type Traffic = Pick<Plan, "method" | "headers" | "body"> & { paths: readonly string[]; once?: boolean };

/** One figure: a fresh server and a fresh load generator, each in a process of its own. */
export async function runServed(serve: Serve, traffic: Traffic, times: Pick<Plan, "warmupMs" | "measureMs">): Promise<Measured & { peakMb: number }> {
  const server = fork(new URL("served.ts", import.meta.url), { execArgv: serverFlags });
  const ended = once(server, "exit");
  try {
    server.send(serve);
    const { port } = await answerOf<{ port: number }>(server);
    const load = fork(new URL("load.ts", import.meta.url));
    load.send({ once: false, ...traffic, paths: [...traffic.paths], port, connections, ...times } satisfies Plan);
    const measured = await answerOf<Measured>(load);
    server.send("memory");
    const { peakMb } = await answerOf<{ peakMb: number }>(server);
    if (measured.failed > 0 || measured.requests === 0)
      throw new Error(`${serve.kind} ${traffic.paths[0]}: ${measured.failed} of ${measured.requests} requests were refused`);
    process.stderr.write(`${serve.kind} ${traffic.method} ${(traffic.paths[0] ?? "").slice(0, 60)}: ${measured.perSecond}/s\n`);
    return { ...measured, peakMb };
  } finally {
    if (server.connected) server.disconnect();
    await ended;
  }
}
