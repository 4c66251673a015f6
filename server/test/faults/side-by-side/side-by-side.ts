import type { Program } from "#test/support/programs/program.ts";
import type { Written } from "#test/support/upgrade/written.ts";
import { ask, requestCount } from "./ask.ts";
import type { Done } from "./done.ts";
import { faultsAfter } from "./faults-after.ts";
import { createLoad } from "./load.ts";
import type { OldProgram } from "./old-program.ts";
import { type Pair, type SideBySide, worldOf } from "./world.ts";

export interface SideBySideReport {
  requests: number;
  orders: number;
  mails: number;
  deliveries: number;
  faults: string[];
}

interface Given {
  written: Written;
  old: OldProgram;
  durationMs: number;
  callers: number;
}

/** How long the load continues while the old version is stopped, and afterwards. */
const aloneMs = 15_000;

/**
 * Migrates a database that the old version wrote; both versions serve and work on it under load; then the old one is shut down cleanly
 * while the load continues, a later version's migration runs under the new one, and that one finishes what is left. Compares what the
 * callers got as responses with what is stored and what arrived.
 */
export async function sideBySide({ written, old, durationMs, callers }: Given): Promise<SideBySideReport> {
  const world = await worldOf(written, old);
  const done: Done = { orders: [], mails: [] };
  try {
    await world.migrate();
    const [before, after] = [await world.start("old"), await world.start("new")];
    world.apis = [before.api, after.api];
    const endpoints = await register(world);
    const load = createLoad(world, done, callers);
    await load.run(durationMs);
    const replaced = retire(world, before, after.api).then(() => world.expand());
    await Promise.all([replaced, load.run(aloneMs)]);
    const found = await faultsAfter(world, { done, endpoints });
    const logged = [...errorsIn(before.api), ...errorsIn(before.worker, expectedOfOld), ...errorsIn(after.api), ...errorsIn(after.worker)];
    const report = {
      requests: requestCount(),
      orders: done.orders.length,
      mails: [...world.emailsTo.values()].reduce((sum, count) => sum + count, 0),
      deliveries: world.receiver.count(),
    };
    return { ...report, faults: [...world.faults, ...found, ...logged] };
  } finally {
    await world.close();
  }
}

/** One endpoint that takes everything, and one that refuses everything at first, in each of the shops whose orders are paid. */
async function register(world: SideBySide): Promise<string[]> {
  const ids: string[] = [];
  for (const shop of [world.known.shops[0], world.known.shops[2]].filter((one) => one !== undefined))
    for (const [turn, path] of ["/steady", "/failing"].entries()) {
      const body = { url: `${world.receiver.url}${path}`, events: ["order.created", "order.paid"] };
      ids.push((await ask(world, turn, { path: `/api/v1/projects/${shop.project_id}/webhooks`, shop, body, status: 201 })).body.id ?? "");
    }
  return ids;
}

/** Stops the old version like a rollout: it gets no more requests and finishes its work. */
async function retire(world: SideBySide, { api, worker }: Pair, other: Program): Promise<void> {
  world.apis = [other];
  for (const program of [api, worker]) {
    const { code } = await program.stop();
    if (code !== 0) world.faults.add(`the old version ended with ${code}:\n${program.output}`);
  }
}

/** Doesn't indicate a fault of either version: the machine was busy, or the test advanced the clock by hours. */
const expected = /this process is held up|held this process up|clock_skewed/;
/** It can't read a long text's parts, and leaves the message to a version that can. */
const expectedOfOld = /could not be prepared for sending; it will be tried again/;

/** What a program logged as an error. */
function errorsIn({ output }: Program, but = expected): string[] {
  const lines = output.split("\n").filter((line) => /"level":"(?:error|fatal)"/.test(line) && !expected.test(line) && !but.test(line));
  return [...new Set(lines)].slice(0, 20);
}
