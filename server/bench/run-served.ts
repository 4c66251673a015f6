import { fork } from "node:child_process";
import { once } from "node:events";
import { answerOf } from "./answer-of.ts";
import type { Measured, Plan } from "./load.ts";
import type { Serve, ServedState } from "./served.ts";

const start = (await import(new URL("../../scripts/node-flags.mjs", import.meta.url).href)) as { serverFlags(): string[] };
/** As `npm start` runs the server; the ceilings run with the same flags. */
export const serverFlags = start.serverFlags();
/** Enough for two full batches in progress. */
const usualConnections = 128;

export type Traffic = Pick<Plan, "method" | "headers" | "body"> & { paths: readonly string[] } & Partial<
    Pick<Plan, "once" | "connections" | "perSecond" | "each">
  >;
export type Served = Measured & ServedState;

type Times = Pick<Plan, "warmupMs" | "measureMs">;

/** One figure: a new server and a new load generator, each in a separate process. */
export function runServed(serve: Serve, traffic: Traffic, times: Times): Promise<Served> {
  return withServed(serve, (load) => load(traffic, times));
}

/** A new server that can be loaded while other work continues. */
export async function withServed<T>(
  serve: Serve,
  work: (load: (traffic: Traffic, times: Times) => Promise<Served>) => Promise<T>,
): Promise<T> {
  const server = fork(new URL("served.ts", import.meta.url), { execArgv: serverFlags });
  const ended = once(server, "exit");
  try {
    server.send(serve);
    const { port } = await answerOf<{ port: number }>(server);
    return await work(async (traffic, times) => {
      const measured = await runLoad(port, traffic, times);
      server.send("state");
      const state = await answerOf<ServedState>(server);
      requireAnswers(`${serve.kind} ${traffic.method} ${(traffic.paths[0] ?? "").slice(0, 60)}`, measured);
      return { ...measured, ...state };
    });
  } finally {
    if (server.connected) server.disconnect();
    await ended;
  }
}

/** Fails if requests were refused: then there is no figure. */
function requireAnswers(name: string, { failed, requests, perSecond }: Measured): void {
  if (failed > 0 || requests === 0) throw new Error(`${name}: ${failed} of ${requests} requests were refused`);
  process.stderr.write(`${name}: ${perSecond}/s\n`);
}

/** Loads whatever serves on a port, from a separate process. */
export async function runLoad(port: number, traffic: Traffic, times: Times): Promise<Measured> {
  const load = fork(new URL("load.ts", import.meta.url));
  load.send({
    once: false,
    connections: usualConnections,
    perSecond: null,
    ...traffic,
    paths: [...traffic.paths],
    port,
    ...times,
  } satisfies Plan);
  return answerOf<Measured>(load);
}

/** The same, and again at a tenth of the rate that it reached: how long a request takes on a server that isn't busy. */
export async function runTwice(serve: Serve, traffic: Traffic, times: Times): Promise<Served & { calm: Measured }> {
  const isOnce = traffic.once === true;
  const cut = isOnce ? Math.floor(traffic.paths.length * 0.8) : 0;
  const measured = await runServed(serve, isOnce ? { ...traffic, paths: traffic.paths.slice(0, cut) } : traffic, times);
  const perSecond = Math.max(1, measured.perSecond / 10);
  return { ...measured, calm: await runServed(serve, { ...traffic, paths: traffic.paths.slice(cut), perSecond }, times) };
}
