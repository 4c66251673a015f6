import { type Ctx, known, type Pipe, type Sent, type Tenant, type Tx } from "#platform/index.ts";
import { macOfRow } from "./row-mac.ts";
import { type AuditContent, insertAudits } from "./sql.ts";

export interface AuditEntry {
  ctx: Pick<Ctx, "actor" | "id" | "now" | "requestId" | "masterKeys">;
  /** Null for an action on the merchant as a whole; then `merchant_id` is required. */
  tenant: Tenant | null;
  merchant_id?: string;
  /** `object.past_tense`, such as `order.approved`. */
  action: string;
  object_type: string;
  object_id: string | null;
  detail: Record<string, unknown>;
}

/** Records who did what, in the transaction of the action, with the row's own seal. `chainAudit` adds it to the chain a moment later. */
export function recordAudit<On extends Tx | Pipe>(tx: On, entry: AuditEntry): Sent<On, void> {
  return recordAudits(tx, [entry]);
}

/** Like `recordAudit`, for several actions in one statement (group commit). */
export function recordAudits<On extends Tx | Pipe>(tx: On, entries: readonly AuditEntry[]): Sent<On, void> {
  return insertAudits(tx, entries.map(sealedRow));
}

function sealedRow(entry: AuditEntry): AuditContent & { mac: Buffer } {
  const { ctx, tenant } = entry;
  const row = {
    merchant_id: entry.merchant_id ?? null,
    id: ctx.id("aud"),
    project_id: tenant?.project_id ?? null,
    livemode: tenant?.livemode ?? null,
    actor_kind: ctx.actor.kind,
    actor_id: ctx.actor.id,
    action: entry.action,
    object_type: entry.object_type,
    object_id: entry.object_id,
    detail: entry.detail,
    request_id: ctx.requestId,
    created_at: ctx.now(),
  };
  return { ...row, mac: macOfRow(ctx.masterKeys, row) };
}

/** Audits only actions of people; actions of API keys are frequent and aren't audited. */
export function auditIfPerson<On extends Tx | Pipe>(tx: On, entry: AuditEntry): Sent<On, void> {
  return entry.ctx.actor.kind === "person" ? recordAudit(tx, entry) : known(tx, undefined);
}
