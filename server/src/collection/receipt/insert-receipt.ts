import { createHash } from "node:crypto";
import type { Ctx, Tenant, Tx } from "#platform/index.ts";
import type { Account } from "../account/sql.ts";
import type { Channel } from "../channels.ts";
import { externalKey } from "../external-key.ts";
import type { ReceiptRow, ReceiptSource } from "./receipt-row.ts";
import { findReceiptBeforeMove, findSameReceipt, insertReceiptRow } from "./sql.ts";
import type { ReceiptState } from "./states.ts";

export interface NewReceipt {
  channel: Channel;
  currency: string;
  amount_minor: number;
  occurred_at: Date;
  /** The wallet's number of the transfer, if the source has it. */
  external_id?: string | null;
  remark?: string | null;
  payer_hint?: string | null;
  /** The wallet's word for the kind of transfer. */
  kind?: string | null;
  /** Defaults to `final`. */
  state?: ReceiptState;
  source: ReceiptSource;
}

/** Builds a receipt's row without writing it. */
export function newReceipt(
  ctx: Pick<Ctx, "id" | "now" | "actor">,
  given: { tenant: Tenant; account: Account; receipt: NewReceipt },
): ReceiptRow {
  const { tenant, account, receipt } = given;
  const now = ctx.now();
  const external_key = externalKey(receipt.external_id);
  return {
    project_id: tenant.project_id,
    livemode: tenant.livemode,
    merchant_id: account.merchant_id,
    account_ref: account.account_ref,
    id: ctx.id("rcp"),
    channel: receipt.channel,
    currency: receipt.currency,
    amount_minor: receipt.amount_minor,
    occurred_at: receipt.occurred_at,
    external_id: external_key === null ? null : (receipt.external_id ?? null),
    external_key,
    content_hash: external_key === null ? contentHash(receipt) : null,
    remark: receipt.remark ?? null,
    payer_hint: receipt.payer_hint ?? null,
    kind: receipt.kind ?? null,
    state: receipt.state ?? "final",
    source: receipt.source,
    status: "unmatched",
    payment_session_id: null,
    exception_id: null,
    twin_id: null,
    booked_project_id: null,
    booked_external_id: null,
    set_id: null,
    decided_by: null,
    decision_reason: null,
    created_by: ctx.actor.id,
    releases: 0,
    created_at: now,
    updated_at: now,
  };
}

/**
 * Writes a receipt once: a second one with the same number, or without a number and with the same content, returns the first with `created:
 * false`. `named` says whether its source named the account: otherwise it may report again what the project's previous account received.
 */
export async function insertReceipt(
  tx: Tx,
  row: ReceiptRow,
  { named }: { named: boolean },
): Promise<{ receipt: ReceiptRow; created: boolean }> {
  const before = named || row.content_hash === null ? null : await findReceiptBeforeMove(tx, row);
  if (before !== null) return { receipt: before, created: false };
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
