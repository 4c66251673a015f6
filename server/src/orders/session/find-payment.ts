import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import { findLink } from "../rows/links.sql.ts";
import { findSession } from "../rows/sessions.sql.ts";
import type { LinkRow, SessionRow } from "../shapes.ts";

/** One payment session, with the link that its code is shown on. Throws resource_missing. */
export async function findPayment(ctx: Ctx, tenant: Tenant, id: string): Promise<{ session: SessionRow; link: LinkRow | null }> {
  const session = await findSession(ctx.db, tenant, id);
  if (session === null) throw platformErrors.resource_missing({ param: "id" });
  return { session, link: await findLink(ctx.db, tenant, session.order_id) };
}
