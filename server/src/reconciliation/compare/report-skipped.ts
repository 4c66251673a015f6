import type { Ctx } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import type { Compared } from "./fit.ts";
import { dateOf, type Span } from "./next-span.ts";
import { reportDifference } from "./report-difference.ts";

/** Reports days that are never compared to a person, once: only they can look at the provider what was paid on them. */
export async function reportSkipped(ctx: Ctx, account: Compared, { from, to }: Span): Promise<void> {
  const [first, last] = [dateOf(from), dateOf(new Date(to.getTime() - 1))];
  await reportDifference(ctx, account, {
    key: `skipped:${first}`,
    kind: "unmatched",
    reason: "days_not_compared",
    order_id: null,
    payment_session_id: null,
    external_id: `${first}/${last}`,
    ...(await amountUnknown(ctx, account)),
    more: { first_day: first, last_day: last },
  });
}

/** Exceptions have a currency even if they are about no amount. */
export async function amountUnknown(ctx: Ctx, { project_id }: Compared): Promise<{ amount_minor: number; currency: string }> {
  const project = await findProject(ctx.db, project_id);
  if (project === null) throw new Error("a project vanished");
  return { amount_minor: 0, currency: project.default_currency };
}
