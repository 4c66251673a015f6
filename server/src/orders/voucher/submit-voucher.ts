import { type AssetRow, keepAsset, type PreparedAsset, requireAsset, useAsset } from "#assets/index.ts";
import { auditIfPerson } from "#audit/index.ts";
import { externalKey } from "#collection/index.ts";
import { atNow, type Ctx, type ErrorDetail, pipeline, platformErrors, refuseCardNumbers, type Tenant, type Tx } from "#platform/index.ts";
import { closingOpen } from "../gateway/close-open.ts";
import { lockHeldParts } from "../rows/exceptions.sql.ts";
import { lockOrder, updateOrder } from "../rows/orders.sql.ts";
import { findLatestSession } from "../rows/sessions.sql.ts";
import { countVouchers, insertVoucher, updateSubmittedVoucher } from "../rows/vouchers.sql.ts";
import { announceReview, awaitReview } from "../session/await-review.ts";
import { claimCanceled } from "../session/claim-canceled.ts";
import type { ClosedSessions } from "../session/starting.ts";
import { requestedOf } from "../settle/decide.ts";
import { refuseOddTime } from "../settle/refuse-odd-time.ts";
import type { OrderRow, SessionRow, VoucherRow } from "../shapes.ts";
import { flagLookalikes } from "./lookalikes.ts";

export interface VoucherInput {
  order_id: string;
  gateway?: string;
  asset_id?: string | null;
  /** An uploaded image, prepared but not stored yet: it becomes an asset in the same transaction. */
  picture?: PreparedAsset;
  transaction_reference?: string | null;
  payer_name?: string | null;
  paid_at?: Date | null;
  amount_minor?: number | null;
  note?: string | null;
}

export interface Submitted {
  order: OrderRow;
  session: SessionRow;
  voucher: VoucherRow;
}

const vouchersMax = 5;

/**
 * Takes a proof of payment and puts the order before a reviewer; a newer proof supersedes the one that waits. At most five an order
 * (limit_reached). The same image or reference on another order is flagged, and refused (review_exists) if it was approved there.
 */
export async function submitVoucher(ctx: Ctx, tenant: Tenant, input: VoucherInput): Promise<Submitted> {
  refuseCardNumbers({ transaction_reference: input.transaction_reference, payer_name: input.payer_name, note: input.note });
  if (input.picture === undefined && input.asset_id == null && input.transaction_reference == null)
    throw platformErrors.parameter_missing({ param: "file", details: neitherGiven });
  if (input.paid_at != null) refuseOddTime(await atNow(ctx, ctx.db), "paid_at", input.paid_at);
  return closingOpen(ctx, (closed) => submitOnce(ctx, tenant, { ...input, closed }));
}

function submitOnce(ctx: Ctx, tenant: Tenant, input: VoucherInput & { closed: ClosedSessions }): Promise<Submitted> {
  return ctx.transact(async (tx) => {
    const order = await lockOrder(tx, tenant, input.order_id);
    const pinned = await atNow(ctx, tx);
    if (order === null) throw platformErrors.resource_missing({ param: "id" });
    if ((await countVouchers(tx, tenant, order.id)) >= vouchersMax)
      throw platformErrors.limit_reached({ message: "An order can have up to five proofs." });
    const asset = await proofAsset(tx, tenant, input);
    const risk_flags = await riskFlags(tx, { order, asset, input });
    const { session, moved } = await takeReport(tx, pinned, { order, gateway: input.gateway ?? null, closed: input.closed });
    await updateSubmittedVoucher(tx, tenant, { orderId: order.id, status: "superseded", reviewedBy: null, reason: null });
    const changed = moved ?? (await updateOrder(tx, order, { from: ["pending_verify"], to: "pending_verify" })) ?? order;
    const voucher = await insertVoucher(tx, voucherOf(pinned, { order, session, asset, risk_flags, input }));
    if (asset !== null) await useAsset(tx, tenant, { asset_id: asset.id, used_by: voucher.id });
    if (changed.status === "pending_verify") await announceReview(tx, ctx, { order: changed, session, voucher });
    const detail = { order_id: order.id };
    await auditIfPerson(tx, { ctx, tenant, action: "voucher.submitted", object_type: "voucher", object_id: voucher.id, detail });
    return { order: changed, session, voucher };
  });
}

/** A proof reports the payment. A canceled order stays canceled: its proof is kept for the merchant to see and waits for no review. */
async function takeReport(
  tx: Tx,
  ctx: Ctx,
  given: { order: OrderRow; gateway: string | null; closed: ClosedSessions },
): Promise<{ session: SessionRow; moved: OrderRow | null }> {
  if (given.order.status !== "canceled") return awaitReview(tx, ctx, given);
  const { order, session } = await claimCanceled(tx, ctx, { order: given.order, gateway: given.gateway, isProof: true });
  return { session, moved: order };
}

const neitherGiven: ErrorDetail[] = ["file", "asset_id", "transaction_reference"].map((param) => ({
  param,
  code: "parameter_missing",
  reason: "proof_missing",
  message: "Send an image, an uploaded asset or the transfer number.",
}));

async function proofAsset(tx: Tx, tenant: Tenant, { picture, asset_id: id }: VoucherInput): Promise<AssetRow | null> {
  if (picture !== undefined) {
    await keepAsset(tx, picture);
    return picture;
  }
  return id == null ? null : requireAsset(tx, tenant, { asset_id: id, purpose: "payment_proof" });
}

async function riskFlags(tx: Tx, given: { order: OrderRow; asset: AssetRow | null; input: VoucherInput }): Promise<string[]> {
  const { order, asset, input } = given;
  const shown = { orderId: order.id, asset, referenceKey: externalKey(input.transaction_reference) };
  const flags = new Set(await flagLookalikes(tx, { tenant: order, shown }));
  if (input.amount_minor != null && (await isOddSum(tx, order, input.amount_minor))) flags.add("amount_mismatch");
  if (input.paid_at != null && (input.paid_at < new Date(order.created_at.getTime() - 600_000) || input.paid_at > order.expires_at))
    flags.add("time_mismatch");
  return [...flags].sort();
}

/** Any amount from the requested to the due one pays exactly. */
async function isOddSum(tx: Tx, order: OrderRow, amountMinor: number): Promise<boolean> {
  const [session, held] = await pipeline(tx, (pipe) => [findLatestSession(pipe, order, order.id), lockHeldParts(pipe, order, order.id)]);
  const owedMinor = order.amount_minor - held.reduce((sum, part) => sum + part.amount_minor, 0);
  return amountMinor > owedMinor || amountMinor < requestedOf(session, owedMinor);
}

function voucherOf(
  ctx: Ctx,
  given: { order: OrderRow; session: SessionRow; asset: AssetRow | null; risk_flags: string[]; input: VoucherInput },
): VoucherRow {
  const { order, session, asset, input } = given;
  const now = ctx.now();
  return {
    project_id: order.project_id,
    livemode: order.livemode,
    id: ctx.id("vch"),
    order_id: order.id,
    payment_session_id: session.id,
    status: "submitted",
    asset_id: asset?.id ?? null,
    transaction_reference: input.transaction_reference ?? null,
    reference_key: externalKey(input.transaction_reference),
    payer_name: input.payer_name ?? null,
    paid_at: input.paid_at ?? null,
    amount_minor: input.amount_minor ?? null,
    note: input.note ?? null,
    sha256: asset?.original_sha256 ?? null,
    risk_flags: given.risk_flags,
    reviewed_by: null,
    reviewed_at: null,
    rejection_reason: null,
    created_at: now,
    updated_at: now,
  };
}
