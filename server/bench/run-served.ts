import { fork } from "node:child_process";
import { once } from "node:events";
import { answerOf } from "./answer-of.ts";
import type { Measured, Plan } from "./load.ts";
import type { Serve } from "./served.ts";

const start = (await import(new URL("../../scripts/node-flags.mjs", import.meta.url).href)) as { serverFlags(): string[] };
/** As `npm start` runs the server; the ceilings run alike. */
export const serverFlags = start.serverFlags();
/** Enough that two full batches can be under way. */
const usualConnections = 128;

export type Traffic = Pick<Plan, "method" | "headers" | "body"> & { paths: readonly string[] } & Partial<
    Pick<Plan, "once" | "connections" | "perSecond" | "each">
  >;
export type Served = Measured & { peakMb: number };

/** One figure: a fresh server and a fresh load generator, each in a process of its own. */
export async function runServed(serve: Serve, traffic: Traffic, times: Pick<Plan, "warmupMs" | "measureMs">): Promise<Served> {
  const server = fork(new URL("served.ts", import.meta.url), { execArgv: serverFlags });
  const ended = once(server, "exit");
  try {
    server.send(serve);
    const { port } = await answerOf<{ port: number }>(server);
    const load = fork(new URL("load.ts", import.meta.url));
    load.send({ once: false, connections: usualConnections, perSecond: null, ...traffic, paths: [...traffic.paths], port, ...times } satisfies Plan);
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

/** The same, and again at a tenth of the rate that it reached: what a request takes on a server that is not busy. */
export async function runTwice(serve: Serve, traffic: Traffic, times: Pick<Plan, "warmupMs" | "measureMs">): Promise<Served & { calm: Measured }> {
  const isOnce = traffic.once === true;
  const cut = isOnce ? Math.floor(traffic.paths.length * 0.8) : 0;
  const measured = await runServed(serve, isOnce ? { ...traffic, paths: traffic.paths.slice(0, cut) } : traffic, times);
  const perSecond = Math.max(1, measured.perSecond / 10);
  return { ...measured, calm: await runServed(serve, { ...traffic, paths: traffic.paths.slice(cut), perSecond }, times) };
}
