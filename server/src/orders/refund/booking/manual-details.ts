import { requireAsset, useAsset } from "#assets/index.ts";
import { refuseOddNumber } from "#collection/index.ts";
import { atNow, type Ctx, refuseCardNumbers, type Tenant, type Tx } from "#platform/index.ts";
import { refuseOddTime } from "../../settle/refuse-odd-time.ts";
import type { RefundRow, refundChannels, refundReasons } from "../../shapes.ts";

/** A person's description of a refund that they made themselves. */
export interface ManualDetails {
  reason?: (typeof refundReasons)[number] | null;
  note?: string | null;
  /** How it was refunded; by default, the way it was paid. */
  channel?: (typeof refundChannels)[number];
  paid_back_by?: string | null;
  /** When; by default, now. */
  paid_back_at?: Date;
  external_transaction_id?: string | null;
  /** An image that shows it, uploaded as `payment_proof`. */
  asset_id?: string | null;
}

/** Throws parameter_invalid for an implausible time or an invalid number, and card_number_refused. */
export async function refuseOddDetails(ctx: Ctx, given: ManualDetails): Promise<void> {
  refuseCardNumbers({ note: given.note, paid_back_by: given.paid_back_by, external_transaction_id: given.external_transaction_id });
  if (given.paid_back_at !== undefined) refuseOddTime(await atNow(ctx, ctx.db), "paid_back_at", given.paid_back_at);
  if (given.external_transaction_id != null) refuseOddNumber("external_transaction_id", given.external_transaction_id);
}

type RefundDetails = Pick<
  RefundRow,
  "reason" | "note" | "channel" | "paid_back_by" | "paid_back_at" | "external_transaction_id" | "asset_id"
>;

/** The details as a refund stores them. `usual`: how the money was paid. */
export function refundDetails(pinned: Pick<Ctx, "now">, given: ManualDetails, usual: string): RefundDetails {
  return {
    reason: given.reason ?? null,
    note: given.note ?? null,
    channel: given.channel ?? usual,
    paid_back_by: given.paid_back_by ?? null,
    paid_back_at: given.paid_back_at ?? pinned.now(),
    external_transaction_id: given.external_transaction_id ?? null,
    asset_id: given.asset_id ?? null,
  };
}

/** Keeps the image of a refund from being deleted. Throws parameter_invalid for a missing one, or one with another purpose. */
export async function useProof(tx: Tx, tenant: Tenant, given: { asset_id: string | null; refund_id: string }): Promise<void> {
  if (given.asset_id === null) return;
  const asset = await requireAsset(tx, tenant, { asset_id: given.asset_id, purpose: "payment_proof" });
  await useAsset(tx, tenant, { asset_id: asset.id, used_by: given.refund_id });
}
