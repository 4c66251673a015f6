import type { Ctx, Tenant } from "#platform/index.ts";
import { findLinksName, findVerified } from "../domain/sql.ts";
import type { MailSettings } from "../settings.ts";

/** What links in mail begin with, unless the sender's domain has a host for them. */
export function linkBaseOf(mail: MailSettings): string {
  return mail.linksUrl ?? mail.baseUrl;
}

/**
 * Whether a host is there for links in a project's mail: the operator's `LINKS_URL`, or the one under a verified domain of the project. Every other host, above all
 * the one where people pay, is no place to lead on from unseen.
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
 * Whether some project's verified domain has its links on this host. One that was verified earlier still counts: links in mail that was
 * sent then, above all for unsubscribing, must keep working.
 */
export async function isLinkHost(ctx: Pick<Ctx, "db" | "mail">, name: string): Promise<boolean> {
  return ctx.mail.linksUrl != null && name.includes(".") && (await findLinksName(ctx.db, { name, parent: name.slice(name.indexOf(".") + 1) }));
}
