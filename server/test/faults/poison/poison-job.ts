import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { emailQueue } from "#email/channel/tables.sql.ts";
import { createEmailBatch } from "#email/index.ts";
import { emit } from "#events/index.ts";
import { type Ctx, listSetAsideJobs, type QueueTable, type Tenant } from "#platform/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { newEmail } from "#test/support/mail/mail.ts";
import { countJobs } from "#test/support/queues/queues.sql.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { endpointAt } from "#test/support/webhooks/webhook-world.ts";
import { listDeliveryStates } from "#test/support/webhooks/webhooks.sql.ts";
import { deliveryQueue, fanOut } from "#webhooks/index.ts";
import { type PoisonedPlan, poisonedMailLeaseMs } from "./poisoned-worker.ts";

/** What a job that kills its workers did. */
export interface PoisonReport {
  killed: number;
  /** How many jobs ended well. */
  done: number;
  /** One entry for each job that is set aside: whether it's the one that kills. */
  setAside: boolean[];
}

interface Poisoned {
  queue: QueueTable;
  does: PoisonedPlan["does"];
  leaseMs: number;
  /** How far the clock of leases and retries advances at each check. */
  paceMs: number;
  isPoison(job: string): boolean;
}

/** Deliveries to one endpoint, one of which kills every process that is about to send it. */
export async function poisonDelivery(app: TestApp, others: number): Promise<PoisonReport> {
  const { ctx } = app;
  const tenant = await app.tenant();
  await endpointAt(ctx, tenant, "https://127.0.0.1:1/");
  const poison = await emitPoison(ctx, tenant, others);
  return poisonJob(app, {
    queue: deliveryQueue,
    does: "deliveries",
    leaseMs: 30_000,
    paceMs: 250,
    isPoison: (job) => job.endsWith(`/${poison}`),
  });
}

/** Fans out events of which the one in the middle says `poison`, and returns its id. */
export async function emitPoison(ctx: Ctx, tenant: Tenant, others: number): Promise<string | undefined> {
  const event = (mark: string) => ({ event: "order.paid", object_id: ctx.id("ord"), data: { order: { metadata: { mark } } } });
  const events = Array.from({ length: others + 1 }, (_, n) => event(n === others >> 1 ? "poison" : "plain"));
  for (let n = 0; n < events.length; n += 500) await ctx.transact((tx) => emit(tx, ctx, { tenant, events: events.slice(n, n + 500) }));
  while ((await fanOut(ctx)) > 0);
  return (await listDeliveryStates(ctx.db, tenant))[others >> 1]?.event_id;
}

/** Emails, one of which kills every process that composes it. */
export async function poisonMail(app: TestApp, others: number): Promise<PoisonReport> {
  const tenant = await app.tenant({ livemode: true });
  const ids: string[] = [];
  while (ids.length <= others) {
    const length = Math.min(100, others + 1 - ids.length);
    const subjectOf = (n: number) => (n === others >> 1 ? "poison" : "plain");
    const items = Array.from({ length }, (_, n) => newEmail({ to: `reader-${n}@d${n % 3}.dev`, subject: subjectOf(ids.length + n) }));
    ids.push(...(await createEmailBatch(app.ctx, tenant, { tier: "pro", items, strict: true })).data.map(({ id }) => id));
  }
  const poison = ids[others >> 1];
  return poisonJob(app, {
    queue: emailQueue,
    does: "mails",
    leaseMs: poisonedMailLeaseMs,
    paceMs: 50,
    isPoison: (job) => job.startsWith(`${poison}/`),
  });
}

/** Runs one process after another on a queue until every job has ended or is set aside. */
async function poisonJob({ ctx, clock, url }: TestApp, { queue, does, leaseMs, paceMs, isPoison }: Poisoned): Promise<PoisonReport> {
  let killed = 0;
  let worker = await startWorker({ url, does });
  const isOver = async () => {
    clock.advance(paceMs);
    if (worker.exitCode !== null || worker.signalCode !== null) {
      killed += 1;
      clock.advance(leaseMs + 1_000);
      worker = await startWorker({ url, does });
    }
    return (await countJobs(ctx.db, queue)).open === 0;
  };
  try {
    await eventually("everything has ended or is set aside", isOver, { everyMs: 50, withinMs: 600_000 });
  } finally {
    const ended = once(worker, "exit");
    worker.kill("SIGKILL");
    await ended;
  }
  const { done } = await countJobs(ctx.db, queue);
  return { killed, done, setAside: (await listSetAsideJobs(ctx, queue)).map(({ job }) => isPoison(job)) };
}

async function startWorker(plan: PoisonedPlan): Promise<ChildProcess> {
  const worker = fork(new URL("poisoned-worker.ts", import.meta.url), ["--works"], { execArgv: ["--disable-warning=ExperimentalWarning"] });
  worker.send(plan);
  const [message] = (await Promise.race([once(worker, "message"), once(worker, "exit")])) as [unknown];
  // It may exit before it can report.
  if (message !== "working" && worker.signalCode !== "SIGKILL") throw new Error("a worker ended before it began");
  return worker;
}
