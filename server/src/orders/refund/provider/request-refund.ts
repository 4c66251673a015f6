import { createHash } from "node:crypto";
import { type Ctx, findNow, type Tenant, type Tx } from "#platform/index.ts";
import { orderErrors } from "../../errors.ts";
import { firstPollMs, waitAsAsked } from "../../polling/calendar.ts";
import { updateRefundTaken } from "../../rows/gateway-refunds.sql.ts";
import { findRefundRow } from "../../rows/refunds.sql.ts";
import type { GatewayRefundRow, RefundRow } from "../../shapes.ts";
import { lostToDispute } from "./apply-refund.ts";
import { type Requester, requestLeaseMs } from "./begin-refund.ts";
import { pollRefund, type Sent, sendRefund } from "./poll-refund.ts";
import { updateRefundPolled } from "./queue.sql.ts";

/**
 * Requests a refund from a provider: `begin` stores it, or finds the one that the same request stored before; then the provider is called
 * without any lock, and its response is stored. Returns the refund in its state then. Throws gateway_error if the provider refused it.
 */
export async function requestRefund(
  ctx: Ctx,
  tenant: Tenant,
  begin: (tx: Tx, requester: Requester) => Promise<GatewayRefundRow>,
): Promise<RefundRow> {
  const requester = { requestKey: requestKeyOf(ctx), lease: ctx.id("req") };
  const requested = await ctx.transactUnclaimed((tx) => begin(tx, requester));
  const job = { ...requested, lease: requester.lease };
  const isOurs = requested.lease === requester.lease;
  const sent = isOurs ? await sendRefund(ctx, requested, { isAwaited: true }) : await takeUp(ctx, requested, requester);
  const next = await nextPoll(ctx, requested, sent);
  await ctx.transactUnclaimed((tx) => updateRefundPolled(tx, job, next));
  const refund = await findRefundRow(ctx.db, tenant, requested.id);
  if (refund === null) throw new Error("a refund vanished");
  if (refund.status === "failed") throw refusalOf(refund);
  return refund;
}

/** When the refund is polled; one that its provider asks to wait with is requested again then. */
async function nextPoll(ctx: Ctx, { id, asks }: GatewayRefundRow, sent: Sent | null): Promise<{ waitMs: number; asks: number }> {
  if (sent === null || typeof sent === "string") return { waitMs: firstPollMs, asks: asks + 1 };
  return { waitMs: waitAsAsked({ id, at: await findNow(ctx.db), retryAfter: sent.retryAfter }), asks: 0 };
}

/**
 * A refund from an earlier attempt of this request: unless another process has it leased, its provider is asked about it. Returns null if
 * it isn't asked, or doesn't respond.
 */
async function takeUp(ctx: Ctx, requested: GatewayRefundRow, { lease }: Requester): Promise<Sent | null> {
  if (requested.told_at !== null) return null;
  const taken = await ctx.transactUnclaimed((tx) => updateRefundTaken(tx, requested, { lease, durationMs: requestLeaseMs }));
  if (taken === null) return null;
  return pollRefund(ctx, taken).catch((err: unknown) => {
    ctx.log.info({ err, refund: requested.id }, "a refund's provider doesn't report its outcome");
    return null;
  });
}

/** The same for each attempt of one request, different for any other; null for a request without a key. */
export function requestKeyOf({ claim }: Pick<Ctx, "claim">): string | null {
  if (claim === null) return null;
  const { method, path, key, fingerprint } = claim;
  return createHash("sha256")
    .update(JSON.stringify([method, path, key, fingerprint]))
    .digest("hex");
}

function refusalOf({ id, failure_code, failure_note }: RefundRow): Error {
  const why = failure_note === null ? "" : ` It says: ${failure_note}`;
  const message =
    failure_code === lostToDispute
      ? "A dispute took the money of this payment, so the refund wasn't requested, and nothing was paid back."
      : `The payment provider refused this refund, and nothing was paid back.${why}`;
  return orderErrors.gateway_error({ message, fields: { gateway_code: failure_code, refund_id: id } });
}
