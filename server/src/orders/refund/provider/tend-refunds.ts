import { atNow, type Ctx, createWorkPool, findNow, type Pooled, reviveJobs, type WorkPool } from "#platform/index.ts";
import { heard, isOverdue, mostAsks, waitAfter } from "../../asking/calendar.ts";
import { openFinding } from "../../asking/open-finding.ts";
import { updateGatewayRefundCase } from "../../rows/gateway-refunds.sql.ts";
import { lockOrder } from "../../rows/orders.sql.ts";
import { findRefundRow } from "../../rows/refunds.sql.ts";
import { askRefund } from "./ask-refund.ts";
import { type RefundJob, refundQueue, updateLeasedRefunds, updateRefundAsked, updateRefundLeft } from "./queue.sql.ts";

const pooled: Pooled<RefundJob> = {
  queue: refundQueue,
  leaseMs: 60_000,
  most: 16,
  topic: "gateway_refunds",
  claim: (ctx, wanted) => ctx.transact((tx) => updateLeasedRefunds(tx, wanted)),
  work: tendRefund,
};

/** One process's part in asking providers what became of refunds. */
export function createRefundTender(): WorkPool {
  return createWorkPool(pooled);
}

/** Takes refunds from workers that were lost; answers how many. */
export function reviveGatewayRefunds(ctx: Ctx): Promise<number> {
  return reviveJobs(ctx, refundQueue);
}

/** Asks about one refund, and has it asked about again while its end is open: for ever, since its money may have gone back. */
async function tendRefund(ctx: Ctx, job: RefundJob): Promise<void> {
  const word = await heard(() => askRefund(ctx, job));
  if (word === "ended") return;
  const isKnown = word === "pending" || word === "requires_action";
  const isSpent = !isKnown && job.asks >= mostAsks;
  const refund = await findRefundRow(ctx.db, job, job.id);
  // It stands as it is booked: only its payment had spoken against it.
  if (isSpent && refund?.status === "succeeded") return void (await ctx.transact((tx) => updateRefundLeft(tx, job)));
  const isLate = word === "pending" && isOverdue(job, await findNow(ctx.db));
  if ((isSpent || isLate) && job.exception_id === null) await tellUnknown(ctx, job);
  await ctx.transact((tx) => updateRefundAsked(tx, job, waitAfter(job.asks)));
}

/** The provider has not said for days what became of a refund: a person has to find out there. */
function tellUnknown(ctx: Ctx, job: RefundJob): Promise<void> {
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
