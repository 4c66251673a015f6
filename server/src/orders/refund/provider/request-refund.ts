import { createHash } from "node:crypto";
import type { Ctx, Tenant, Tx } from "#platform/index.ts";
import { orderErrors } from "../../errors.ts";
import { firstPollMs } from "../../polling/calendar.ts";
import { updateRefundTaken } from "../../rows/gateway-refunds.sql.ts";
import { findRefundRow } from "../../rows/refunds.sql.ts";
import type { GatewayRefundRow, RefundRow } from "../../shapes.ts";
import { type Requester, requestLeaseMs } from "./begin-refund.ts";
import { pollRefund, sendRefund } from "./poll-refund.ts";
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
  if (requested.lease === requester.lease) await sendRefund(ctx, requested, { isAwaited: true });
  else await takeUp(ctx, requested, requester);
  await ctx.transactUnclaimed((tx) => updateRefundPolled(tx, job, { waitMs: firstPollMs, asks: job.asks + 1 }));
  const refund = await findRefundRow(ctx.db, tenant, requested.id);
  if (refund === null) throw new Error("a refund vanished");
  if (refund.status === "failed") throw refusalOf(refund);
  return refund;
}

/** A refund from an earlier attempt of this request: unless another process has it leased, its provider is asked about it. */
async function takeUp(ctx: Ctx, requested: GatewayRefundRow, { lease }: Requester): Promise<void> {
  if (requested.told_at !== null) return;
  const taken = await ctx.transactUnclaimed((tx) => updateRefundTaken(tx, requested, { lease, durationMs: requestLeaseMs }));
  if (taken !== null)
    await pollRefund(ctx, taken).catch((err: unknown) =>
      ctx.log.info({ err, refund: requested.id }, "a refund's provider doesn't report its outcome"),
    );
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
  const message = `The payment provider refused this refund, and nothing was paid back.${why}`;
  return orderErrors.gateway_error({ message, fields: { gateway_code: failure_code, refund_id: id } });
}
