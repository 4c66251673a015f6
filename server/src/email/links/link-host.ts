import type { Ctx, Tenant } from "#platform/index.ts";
import { findLinksName, findVerified } from "../domain/sql.ts";
import type { MailSettings } from "../settings.ts";

/** The beginning of links in email, unless the sender's domain has its own host for them. */
export function linkBaseOf(mail: MailSettings): string {
  return mail.linksUrl ?? mail.baseUrl;
}

/**
 * True if a host serves links in a project's email: the operator's `LINKS_URL`, or the one under a verified domain of the project. No other
 * host may redirect without showing where to, least of all the one with payment pages.
 */
export async function servesLinks(ctx: Pick<Ctx, "db" | "mail">, tenant: Tenant, host: string): Promise<boolean> {
  if (ctx.mail.linksUrl == null) return false;
  const name = host.toLowerCase().replace(/:\d+$/, "");
  if (host.toLowerCase() === new URL(ctx.mail.linksUrl).host) return true;
  const parent = name.slice(name.indexOf(".") + 1);
  const domain = await findVerified(ctx.db, tenant, [parent]);
  return domain?.records.some((record) => record.purpose === "links" && record.status === "verified" && record.name === name) === true;
}

/**
 * True if some project's verified domain has its links on this host. Domains that were verified earlier still count: links in email sent at
 * that time, unsubscribe links in particular, must still work.
 */
export async function isLinkHost(ctx: Pick<Ctx, "db" | "mail">, name: string): Promise<boolean> {
  return (
    ctx.mail.linksUrl != null && name.includes(".") && (await findLinksName(ctx.db, { name, parent: name.slice(name.indexOf(".") + 1) }))
  );
}
