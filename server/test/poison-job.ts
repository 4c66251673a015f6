import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { emit } from "#events/index.ts";
import { listSetAsideJobs } from "#platform/index.ts";
import { deliveryQueue, fanOut } from "#webhooks/index.ts";
import { eventually } from "./eventually.ts";
import type { House } from "./house.ts";
import { endpointAt } from "./webhook-world.ts";
import { listDeliveryStates } from "./webhooks.sql.ts";

/** What a job that kills its workers did. */
export interface PoisonReport {
  killed: number;
  delivered: number;
  setAside: string[];
  poison: string;
}

/** Deliveries to one endpoint, one of which kills every process that is to send it; another process follows each that is gone. */
export async function poisonJob(home: House, others: number): Promise<PoisonReport> {
  const { ctx, clock } = home;
  const tenant = await home.tenant();
  const { id } = await endpointAt(ctx, tenant, "https://127.0.0.1:1/");
  const event = (mark: string) => ({ event: "order.paid", object_id: ctx.id("ord"), data: { order: { metadata: { mark } } } });
  const events = Array.from({ length: others + 1 }, (_, n) => event(n === others >> 1 ? "poison" : "plain"));
  for (let n = 0; n < events.length; n += 500) await ctx.transact((tx) => emit(tx, ctx, { tenant, events: events.slice(n, n + 500) }));
  while ((await fanOut(ctx)) > 0);
  const all = (await listDeliveryStates(ctx.db, tenant)).map(({ event_id }) => `${id}/${event_id}`);
  let killed = 0;
  let worker = await startWorker(home.url);
  const isOver = async () => {
    // The time that leases and retries are measured by goes faster than the clock on the wall.
    clock.advance(250);
    if (worker.exitCode !== null || worker.signalCode !== null) {
      killed += 1;
      clock.advance(31_000);
      worker = await startWorker(home.url);
    }
    return (await listDeliveryStates(ctx.db, tenant)).every(({ state }) => state === "succeeded" || state === "set_aside");
  };
  try {
    await eventually("everything is delivered or set aside", isOver, { everyMs: 50, withinMs: 600_000 });
  } finally {
    const ended = once(worker, "exit");
    worker.kill("SIGKILL");
    await ended;
  }
  const delivered = (await listDeliveryStates(ctx.db, tenant)).filter(({ state }) => state === "succeeded").length;
  const setAside = (await listSetAsideJobs(ctx, deliveryQueue)).map(({ job }) => job);
  return { killed, delivered, setAside, poison: all[others >> 1] as string };
}

async function startWorker(url: string): Promise<ChildProcess> {
  const worker = fork(new URL("poisoned-worker.ts", import.meta.url), { execArgv: ["--disable-warning=ExperimentalWarning"] });
  worker.send({ url });
  const [said] = (await Promise.race([once(worker, "message"), once(worker, "exit")])) as [unknown];
  // It may be gone before it can say so.
  if (said !== "working" && worker.signalCode !== "SIGKILL") throw new Error("a worker ended before it began");
  return worker;
}
