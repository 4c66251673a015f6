import { createHash } from "node:crypto";
import type { Claim, Ctx, Tenant, Tx } from "#platform/index.ts";
import { firstAskMs } from "../../asking/calendar.ts";
import { orderErrors } from "../../errors.ts";
import { updateRefundTaken } from "../../rows/gateway-refunds.sql.ts";
import { findRefundRow } from "../../rows/refunds.sql.ts";
import type { GatewayRefundRow, RefundRow } from "../../shapes.ts";
import { askRefund, sendRefund } from "./ask-refund.ts";
import { type Asker, askingMs } from "./begin-refund.ts";
import { updateRefundAsked } from "./queue.sql.ts";

/**
 * Requests a refund from a provider: `begin` stores it, or finds the one that the same request stored before; then the provider is called
 * without any lock, and its response is stored. Returns the refund in its state then. Throws gateway_error if the provider refused it.
 */
export async function askForRefund(ctx: Ctx, tenant: Tenant, begin: (tx: Tx, asker: Asker) => Promise<GatewayRefundRow>): Promise<RefundRow> {
  const asker = { requestKey: ctx.claim === null ? null : requestKeyOf(ctx.claim), lease: ctx.id("req") };
  const begun = await ctx.transactUnclaimed((tx) => begin(tx, asker));
  const job = { ...begun, lease: asker.lease };
  if (begun.lease === asker.lease) await sendRefund(ctx, begun, { isAsked: true });
  else await takeUp(ctx, begun, asker);
  await ctx.transactUnclaimed((tx) => updateRefundAsked(tx, job, { waitMs: firstAskMs, isAnswered: false }));
  const refund = await findRefundRow(ctx.db, tenant, begun.id);
  if (refund === null) throw new Error("a refund vanished");
  if (refund.status === "failed") throw refusalOf(refund);
  return refund;
}

/** A refund from an earlier attempt of this request: unless another process has it leased, its provider is asked about it. */
async function takeUp(ctx: Ctx, begun: GatewayRefundRow, { lease }: Asker): Promise<void> {
  if (begun.told_at !== null) return;
  const taken = await ctx.transactUnclaimed((tx) => updateRefundTaken(tx, begun, { lease, forMs: askingMs }));
  if (taken !== null)
    await askRefund(ctx, taken).catch((err: unknown) => ctx.log.info({ err, refund: begun.id }, "a refund's provider doesn't report its outcome"));
}

/** The same for each attempt of one request, different for any other. */
function requestKeyOf({ method, path, key, fingerprint }: Claim): string {
  return createHash("sha256")
    .update(JSON.stringify([method, path, key, fingerprint]))
    .digest("hex");
}

function refusalOf({ id, failure_code, failure_note }: RefundRow): Error {
  const why = failure_note === null ? "" : ` It says: ${failure_note}`;
  const message = `The payment provider refused this refund, and nothing was paid back.${why}`;
  return orderErrors.gateway_error({ message, fields: { gateway_code: failure_code, refund_id: id } });
}
