import { findOrder, findRefund } from "#orders/index.ts";
import type { Ctx } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import { cleanName, cleanText } from "../mail/clean-text.ts";
import { amountOf } from "./amount-of.ts";
import { foundOrNull } from "./found-or-null.ts";
import { projectLink } from "./links.ts";
import type { ParamsOf } from "./params.ts";
import type { Prepared } from "./prepared.ts";

/** A refund that its provider didn't pay out, for people who can refund. */
export async function prepareRefundFailed(ctx: Ctx, given: ParamsOf["refund_failed"]): Promise<Prepared<"refund_failed"> | null> {
  const refund = await foundOrNull(findRefund(ctx, given, given.refund_id));
  const project = await findProject(ctx.db, given.project_id);
  if (refund?.status !== "failed" || project === null) return null;
  const { order_id, exception_id, failure_note } = refund;
  const order = order_id === null ? null : ((await foundOrNull(findOrder(ctx, given, order_id)))?.order ?? null);
  const path = order === null || exception_id !== null ? "/exceptions" : `/orders/${encodeURIComponent(order.id)}`;
  return {
    facts: {
      url: projectLink(ctx, { project_id: project.id, livemode: given.livemode }, path),
      project: cleanName(project.name),
      reference: order === null ? null : cleanText(order.reference, 64),
      amount: amountOf(refund, order),
      method: ctx.methods.find(refund.gateway)?.names ?? null,
      note: failure_note === null ? null : cleanText(failure_note, 300),
      wasPaid: refund.succeeded_at !== null,
      isHeld: exception_id !== null,
      at: refund.failed_at ?? refund.updated_at,
    },
    test: !given.livemode,
  };
}
