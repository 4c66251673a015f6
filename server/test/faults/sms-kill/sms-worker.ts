import { openDatabase } from "#platform/index.ts";
import { createSmppTransport } from "#providers/sms/smpp/create-smpp-transport.ts";
import { readBinds } from "#providers/sms/smpp/settings/read-binds.ts";
import { expireSms } from "#sms/change/expire-sms.ts";
import { releaseScheduled } from "#sms/change/release-scheduled.ts";
import { createBindHold, createSmsIntake } from "#sms/index.ts";
import { retryEarlyReceipts } from "#sms/receipts/take-receipt.ts";
import { createSmsSender } from "#sms/sending/create-sms-sender.ts";
import { reviveSms } from "#sms/sending/revive-sms.ts";
import { contextOn } from "#test/support/app/context.ts";
import { openSms } from "#test/support/messages/sms.ts";
import { startWorkers } from "#workers/start-workers.ts";

/** Settings of a worker that will be killed. */
export interface SmsWorkerPlan {
  url: string;
  /** In the format of `SMPP_BINDS`. */
  binds: string;
  leaseMs: number;
  /** How long a carrier may take to respond. */
  responseMs: number;
}

/** When another process may take a killed one's bind. */
const holdTimes = { leaseMs: 1_500, extendEveryMs: 400, retryEveryMs: 100 };

/** A program: sends a database's messages over SMPP until its parent exits. */
process.once("message", (plan: SmsWorkerPlan) => work(plan));
process.once("disconnect", () => process.exit(0));

function work({ url, binds, leaseMs, responseMs }: SmsWorkerPlan): void {
  const database = openDatabase({ url, max: 6, applicationName: "tillpost-sms-worker" });
  const files = { put: async () => {}, get: async () => null, remove: async () => {} };
  const ctx = contextOn(database, { now: () => new Date(), files, sms: openSms([]) });
  const transport = createSmppTransport({
    binds: readBinds(binds),
    intake: createSmsIntake(ctx),
    now: ctx.now,
    hold: createBindHold(ctx, holdTimes),
    report: { up: () => {}, down: () => {}, submitted: () => {} },
    limits: { responseMs, firstRetryMs: 50, longestRetryMs: 400 },
  });
  const sender = createSmsSender({ transports: [transport], leaseMs });
  startWorkers(ctx, undefined, [
    { name: "send_sms", everyMs: 100, run: sender.run, listen: sender.listen, finish: sender.finish },
    { name: "release_sms", everyMs: 200, run: releaseScheduled },
    { name: "revive_sms", everyMs: 300, run: reviveSms },
    { name: "expire_sms", everyMs: 1_000, run: expireSms },
    { name: "match_early_sms_receipts", everyMs: 500, run: retryEarlyReceipts },
  ]);
  process.send?.("working");
}
