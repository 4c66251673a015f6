import { findOrder } from "#orders/index.ts";
import type { Ctx } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import { cleanName, cleanText } from "../mail/clean-text.ts";
import { foundOrNull } from "./found-or-null.ts";
import { projectLink } from "./links.ts";
import type { ParamsOf } from "./params.ts";
import type { Prepared } from "./prepared.ts";

/** A buyer's claim that a canceled order was paid, for those who can look for the transfer. */
export async function prepareClaim(
  ctx: Ctx,
  given: ParamsOf["canceled_order_claimed"],
): Promise<Prepared<"canceled_order_claimed"> | null> {
  const found = await foundOrNull(findOrder(ctx, given, given.order_id));
  const project = await findProject(ctx.db, given.project_id);
  if (found === null || project === null) return null;
  const { id, reference, amount_minor, currency, exponent, claimed_at } = found.order;
  if (claimed_at === null) return null;
  const url = projectLink(ctx, { project_id: project.id, livemode: given.livemode }, `/orders/${encodeURIComponent(id)}`);
  const amount = { amount_minor, currency, exponent };
  return {
    facts: { url, project: cleanName(project.name), reference: cleanText(reference, 64), amount, at: claimed_at },
    test: !given.livemode,
  };
}
