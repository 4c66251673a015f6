import { atNow, type Ctx, ownProject } from "#platform/index.ts";
import { makeKeys, writeDomain } from "./create-domain.ts";
import { clearSenderCache } from "./find-sender.ts";
import { readDomainName } from "./read-mailbox.ts";
import { type DomainRow, findDomainByName } from "./sql.ts";

/** The platform's own domain with the records that its operator should publish, or null if it doesn't exist yet. */
export async function findPlatformDomain(ctx: Pick<Ctx, "db" | "mail">): Promise<DomainRow | null> {
  const row = await findDomainByName(ctx.db, ownProject, ctx.mail.domain);
  if (row === null) return null;
  const { private_key: _key, selector: _selector, ...shown } = row;
  return shown;
}

/**
 * Creates the key pair of the platform's own domain if there isn't one yet. null for a host without a public name, which doesn't need one.
 */
export async function keepPlatformDomain(ctx: Ctx): Promise<DomainRow | null> {
  const name = readDomainName(ctx.mail.domain);
  if (name === null || name.endsWith(".localhost")) return null;
  const found = await findPlatformDomain(ctx);
  if (found !== null) return found;
  const keys = await makeKeys(ctx);
  await ctx.transactUnclaimed(async (tx) => writeDomain(tx, await atNow(ctx, tx), { tenant: ownProject, name: ctx.mail.domain, keys }));
  clearSenderCache(ctx);
  return findPlatformDomain(ctx);
}
