import type { EmailTransport } from "#email/index.ts";
import type { SenderOptions } from "#email/sending/create-email-sender.ts";
import { createEmailSender } from "#email/sending/create-email-sender.ts";
import { reviveEmails } from "#email/sending/revive-emails.ts";
import { createSimulator } from "#email/simulator/simulator.ts";
import { type Ctx, openDatabase } from "#platform/index.ts";
import { contextOn } from "#test/support/app/context.ts";
import { createSender, reviveExpired } from "#webhooks/index.ts";
import { startWorkers } from "#workers/start-workers.ts";
import type { Task } from "#workers/tasks.ts";

/** Settings of a worker that a job kills. */
export interface PoisonedPlan {
  url: string;
  does: "deliveries" | "mails";
}

/** Longer than a living worker takes to extend its leases, also while a test advances the clock. */
export const poisonedMailLeaseMs = 90_000;

// A program: works on a database's queue, responds for every receiver itself, and exits as soon as it finds a job with `poison`.
if (process.argv.includes("--works")) {
  process.once("message", (plan: PoisonedPlan) => work(plan));
  process.once("disconnect", () => process.exit(0));
}

function work({ url, does }: PoisonedPlan): void {
  const database = openDatabase({ url, max: 4, applicationName: "tillpost-poisoned-worker" });
  const nowhere = async () => Promise.reject(new Error("no files here"));
  const ctx = contextOn(database, { now: () => new Date(), files: { put: nowhere, get: async () => null, remove: nowhere } });
  if (does === "deliveries") startWorkers({ ...ctx, egress: { ...ctx.egress, request: answered(ctx) } }, undefined, deliveryTasks());
  else startWorkers(ctx, undefined, mailTasks());
  process.send?.("working");
}

function deliveryTasks(): Task[] {
  const sender = createSender();
  return [
    { name: "deliver_webhooks", everyMs: 50, run: sender.run, listen: sender.listen, finish: sender.finish },
    { name: "revive_deliveries", everyMs: 200, run: (given) => reviveExpired(given) },
  ];
}

function answered(ctx: Ctx): Ctx["egress"]["request"] {
  return async ({ body }) => {
    if (Buffer.from(body ?? "").includes("poison")) process.kill(process.pid, "SIGKILL");
    return { status: 200, headers: {}, body: Buffer.from("ok"), truncated: false, duration_ms: 1 } as Awaited<
      ReturnType<typeof ctx.egress.request>
    >;
  };
}

function mailTasks(): Task[] {
  const live: EmailTransport = {
    name: "relay",
    concurrency: 40,
    send: async () => ({ provider: "script", result: "accepted", final: true, smtp_code: 250 }),
    close: async () => {},
  };
  const compose: SenderOptions["compose"] = async ({ subject }) => {
    if (subject === "poison") process.kill(process.pid, "SIGKILL");
    return Buffer.from("composed");
  };
  const sender = createEmailSender({ transports: { live, test: createSimulator() }, leaseMs: poisonedMailLeaseMs, compose });
  return [
    { name: "send_emails", everyMs: 50, run: sender.run, listen: sender.listen, finish: sender.finish },
    { name: "revive_emails", everyMs: 200, run: reviveEmails },
  ];
}
