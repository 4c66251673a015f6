import { openAccount } from "#gateways/index.ts";
import { atNow, type Ctx, createWorkPool, findNow, type Pooled, reviveJobs, type WorkPool } from "#platform/index.ts";
import {
  isOverdue,
  maxPolls,
  pollResult,
  scheduleAt,
  waitAfter,
  waitAsAsked,
  waitForBuyer,
  waitInProgress,
} from "../../polling/calendar.ts";
import { openFinding } from "../../polling/open-finding.ts";
import { updateGatewayRefundCase } from "../../rows/gateway-refunds.sql.ts";
import { lockOrder } from "../../rows/orders.sql.ts";
import { findRefundRow } from "../../rows/refunds.sql.ts";
import { failUnknown } from "./apply-refund.ts";
import { pollRefund, type Sent } from "./poll-refund.ts";
import { type RefundJob, refundQueue, updateLeasedRefunds, updateRefundLeft, updateRefundPolled } from "./queue.sql.ts";

const pooled: Pooled<RefundJob> = {
  queue: refundQueue,
  leaseMs: 60_000,
  most: 16,
  topic: "gateway_refunds",
  jobOf: ({ id }) => id,
  claim: (ctx, wanted) => ctx.transact((tx) => updateLeasedRefunds(tx, wanted)),
  work: processRefund,
};

/** One process's share of polling refunds. */
export function createRefundPoller(): WorkPool {
  return createWorkPool(pooled);
}

/** Takes refunds from lost workers; returns how many. */
export function reviveGatewayRefunds(ctx: Ctx): Promise<number> {
  return reviveJobs(ctx, refundQueue, "revive_gateway_refunds");
}

/** The result of a poll: see `pollResult`. */
type Result = Sent | "absent" | "silent";

/** Polls one refund, and schedules the next poll while its outcome is open: indefinitely, because its money may have been paid out. */
async function processRefund(ctx: Ctx, job: RefundJob): Promise<void> {
  const word = await pollResult(() => pollRefund(ctx, job));
  if (word === "ended") return;
  if (word === "absent" && (await isSimulated(ctx, job))) return failUnknown(ctx, job);
  // The provider hasn't made it, and responds.
  const isWaiting = typeof word === "object" || word === "disputed";
  const isAnswered = word === "pending" || word === "requires_action" || isWaiting;
  const isSpent = !isAnswered && job.asks >= maxPolls;
  const refund = await findRefundRow(ctx.db, job, job.id);
  // Its booked state is right: only its payment had contradicted it.
  if (isSpent && refund?.status === "succeeded") return void (await ctx.transact((tx) => updateRefundLeft(tx, job)));
  const now = await findNow(ctx.db);
  const isLate = (word === "pending" || isWaiting) && isOverdue(job, now);
  if ((isSpent || isLate) && job.exception_id === null) await notifyUnknown(ctx, job);
  const asks = isAnswered ? 0 : asksOf(job, now);
  await ctx.transact((tx) => updateRefundPolled(tx, job, { waitMs: waitOf(job, word, now), asks }));
}

/**
 * No more polls count than the schedule has had since the provider's last report: the page on which the buyer claims the refund has it
 * polled so often that a short fault would count as days of silence.
 */
function asksOf({ asks, told_at, created_at }: RefundJob, now: Date): number {
  const silenceMs = now.getTime() - (told_at ?? created_at).getTime();
  return Math.min(asks, scheduleAt(silenceMs).polls) + 1;
}

function waitOf({ id, created_at, asks }: RefundJob, word: Result, now: Date): number {
  if (typeof word === "object") return waitAsAsked({ id, at: now, retryAfter: word.retryAfter });
  const ageMs = now.getTime() - created_at.getTime();
  if (word === "requires_action") return waitForBuyer(ageMs);
  // A dispute that ends has it polled right away.
  return word === "pending" || word === "disputed" ? waitInProgress(ageMs) : waitAfter(asks);
}

/** A simulated provider forgets refunds after two weeks; if a real one no longer knows a refund, a person must check. */
async function isSimulated(ctx: Ctx, job: RefundJob): Promise<boolean> {
  return (await openAccount(ctx, job, job.credential_id)).credential.demo;
}

/** The provider hasn't reported the outcome for days: a person has to check there. */
function notifyUnknown(ctx: Ctx, job: RefundJob): Promise<void> {
  return ctx.transact(async (tx) => {
    const refund = await findRefundRow(tx, job, job.id);
    if (refund === null) throw new Error("a refund vanished");
    const order = refund.order_id === null ? null : await lockOrder(tx, job, refund.order_id);
    const finding = await openFinding(tx, await atNow(ctx, tx), {
      tenant: { project_id: job.project_id, livemode: job.livemode },
      order,
      sessionId: job.payment_session_id,
      gateway: job.gateway,
      externalId: job.provider_refund_id ?? job.id,
      kind: "unmatched",
      amount: { amount_minor: refund.amount_minor, currency: refund.currency },
      detail: { reason: "refund_unknown", refund_id: job.id },
    });
    await updateGatewayRefundCase(tx, job, finding.id);
  });
}
