import type { Tx } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";
import type { ReceiptRow } from "./receipt-row.ts";

type Facts = Pick<ReceiptRow, "project_id" | "livemode" | "id" | "source" | "occurred_at" | "remark" | "payer_hint" | "kind">;

/** Writes what a better source says about waiting receipts, whose account is locked. */
export async function updateReceiptFacts(tx: Tx, receipts: readonly Facts[]): Promise<void> {
  if (receipts.length === 0) return;
  const given = receipts.map(({ project_id, livemode, id, source, occurred_at, remark, payer_hint, kind }) => {
    return { project_id, livemode, id, source, occurred_at, remark, payer_hint, kind };
  });
  await sql(tx)`
    update receipts r set source = v.source, occurred_at = v.occurred_at, remark = v.remark, payer_hint = v.payer_hint, kind = v.kind,
      updated_at = app_now()
    from jsonb_to_recordset(${sql(tx).json(given)}) as v (project_id text, livemode boolean, id text, source text,
      occurred_at timestamptz, remark text, payer_hint text, kind text)
    where r.project_id = v.project_id and r.livemode = v.livemode and r.id = v.id and r.status = 'unmatched'
    -- all tenants: each key names its own project; projects of one merchant share an account`;
}
