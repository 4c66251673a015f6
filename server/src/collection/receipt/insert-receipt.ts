import { createHash } from "node:crypto";
import type { Ctx, Tenant, Tx } from "#platform/index.ts";
import type { Channel } from "../channels.ts";
import { findSameReceipt, insertReceiptRow, type ReceiptRow, type ReceiptSource } from "./sql.ts";

export interface NewReceipt {
  channel: Channel;
  currency: string;
  amount_minor: number;
  occurred_at: Date;
  /** The wallet's number of the transfer, where the source knows it. */
  external_id?: string | null;
  remark?: string | null;
  payer_hint?: string | null;
  source: ReceiptSource;
}

/** Writes a receipt once: a second one with the same number, or without a number and with the same content, answers the first with `created: false`. */
export async function insertReceipt(tx: Tx, ctx: Ctx, given: { tenant: Tenant; receipt: NewReceipt }): Promise<{ receipt: ReceiptRow; created: boolean }> {
  const { tenant, receipt } = given;
  const now = ctx.now();
  const row: ReceiptRow = {
    project_id: tenant.project_id,
    livemode: tenant.livemode,
    id: ctx.id("rcp"),
    channel: receipt.channel,
    currency: receipt.currency,
    amount_minor: receipt.amount_minor,
    occurred_at: receipt.occurred_at,
    external_id: receipt.external_id ?? null,
    content_hash: receipt.external_id == null ? contentHash(receipt) : null,
    remark: receipt.remark ?? null,
    payer_hint: receipt.payer_hint ?? null,
    source: receipt.source,
    status: "unmatched",
    payment_session_id: null,
    exception_id: null,
    twin_id: null,
    created_at: now,
    updated_at: now,
  };
  if (await insertReceiptRow(tx, row)) return { receipt: row, created: true };
  const first = await findSameReceipt(tx, row);
  if (first === null) throw new Error("a receipt was refused as known and cannot be found");
  return { receipt: first, created: false };
}

function contentHash(receipt: NewReceipt): string {
  const { channel, currency, amount_minor, occurred_at, remark, payer_hint, source } = receipt;
  return createHash("sha256")
    .update(JSON.stringify([channel, currency, amount_minor, occurred_at.toISOString(), remark ?? null, payer_hint ?? null, source]))
    .digest("hex");
}
