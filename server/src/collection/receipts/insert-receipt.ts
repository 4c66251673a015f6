import { createHash } from "node:crypto";
import type { Ctx, Tenant, Tx } from "#platform/index.ts";
import { findReceiptByExternalId, insertReceiptRow, type ReceiptRow } from "./sql.ts";

export interface NewReceipt {
  channel: "wechat" | "alipay";
  amount_minor: number;
  currency: string;
  occurred_at: Date;
  /** The wallet's number of the transfer; without one the content itself names it. */
  external_id?: string | null;
  remark?: string | null;
  payer_hint?: string | null;
  source: "listener" | "statement" | "manual";
}

/** Writes a receipt once; `created` is false when the same channel and external id is there already. */
export async function insertReceipt(tx: Tx, ctx: Ctx, given: { tenant: Tenant; receipt: NewReceipt }): Promise<{ receipt: ReceiptRow; created: boolean }> {
  const { tenant, receipt } = given;
  const now = ctx.now();
  const external_id = receipt.external_id ?? contentId(receipt);
  const made = await insertReceiptRow(tx, {
    project_id: tenant.project_id, livemode: tenant.livemode, id: ctx.id("rcp"), channel: receipt.channel, currency: receipt.currency,
    amount_minor: receipt.amount_minor, occurred_at: receipt.occurred_at, external_id, remark: receipt.remark ?? null, payer_hint: receipt.payer_hint ?? null,
    source: receipt.source, status: "unmatched", payment_session_id: null, created_at: now, updated_at: now,
  });
  if (made !== null) return { receipt: made, created: true };
  const first = await findReceiptByExternalId(tx, tenant, { channel: receipt.channel, external_id });
  if (first === null) throw new Error("a receipt vanished");
  return { receipt: first, created: false };
}

/** Two receipts of the same source, time, amount, payer and note are one. */
function contentId(receipt: NewReceipt): string {
  const parts = [receipt.source, receipt.amount_minor, receipt.occurred_at.toISOString(), receipt.payer_hint ?? "", receipt.remark ?? ""];
  return `content:${createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 40)}`;
}
