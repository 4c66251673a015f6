import { type ActionRow, listActionRows } from "#audit/index.ts";
import { type Ctx, cutPage, type Page, type Tenant } from "#platform/index.ts";
import { type PartQuery, requireOrder } from "./list-parts.ts";

const decisions = { "order.approved": "approved", "order.rejected": "rejected", "order.payment_reversed": "reversed" } as const;

/** The order's approvals, rejections and reversals, newest first, with who made them. */
export async function listReviews(ctx: Ctx, tenant: Tenant, query: PartQuery): Promise<Page<ReviewRow>> {
  await requireOrder(ctx, tenant, query.order_id);
  const rows = await listActionRows(ctx.db, tenant, { objectId: query.order_id, actions: Object.keys(decisions) });
  return cutPage(
    rows.map((row) => reviewOf(tenant, query.order_id, row)),
    query,
  );
}

export type ReviewRow = ReturnType<typeof reviewOf>;

function reviewOf({ project_id, livemode }: Tenant, order_id: string, row: ActionRow) {
  const { id, action, actor_kind, actor_id, actor_name, detail, created_at } = row;
  const number = textOf(detail["external_id"]);
  return {
    id,
    object: "review" as const,
    project_id,
    livemode,
    order_id,
    decision: decisions[action as keyof typeof decisions],
    reviewer: { kind: actor_kind, id: actor_id, name: actor_name },
    gateway: textOf(detail["gateway"]),
    received_amount_minor: typeof detail["received_amount_minor"] === "number" ? detail["received_amount_minor"] : null,
    // If the reviewer gave no number, the books have a generated one.
    external_transaction_id: number?.startsWith("manual:") === true ? null : number,
    reason_code: textOf(detail["reason_code"] ?? detail["cause"]),
    note: textOf(detail["note"]),
    created_at,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
