import type { KeyObject } from "node:crypto";
import { type Ctx, canonicalAddress, type Db, type MasterKeys, open, ownProject, type Tenant } from "#platform/index.ts";
import { type DkimKey, readDkimKey } from "./dkim-key.ts";
import { readMailbox } from "./read-mailbox.ts";
import { type DomainKeys, type DomainRow, findDomainByName, findVerified } from "./sql.ts";

/** Whether a project may send from an address, and with which signature. */
export interface Sender {
  allowed: boolean;
  dkim: DkimKey | null;
  /** The sender's own domain for return addresses if it is published, otherwise the platform's is used. */
  bounce_domain: string | null;
  /** The beginning of links under the sender's own domain if its record is published, otherwise the platform's is used. */
  links: string | null;
}

type SenderCtx = Pick<Ctx, "db" | "now" | "masterKeys" | "mail">;

const cacheMs = 5_000;
const cacheMax = 10_000;
const cache = new WeakMap<Db, Map<string, { until: number; sender: Sender }>>();

/**
 * In LIVE a sender must be at (or under) a domain that this very project verified, or at the platform's domain. The platform's own sender
 * address is reserved for the platform, which may send as anyone. In TEST every sender is allowed. Signed with the project's key for the
 * domain if there is one, otherwise with the platform's. Takes the address with or without a display name. Results are cached for five
 * seconds, refusals never.
 */
export async function findSender(ctx: SenderCtx, tenant: Tenant, fromAddress: string): Promise<Sender> {
  const mailbox = readMailbox(fromAddress);
  if (mailbox === null) return { allowed: false, dkim: null, bounce_domain: null, links: null };
  const isOwn = tenant.project_id === ownProject.project_id;
  if (!isOwn && tenant.livemode && canonicalAddress(mailbox.address) === canonicalAddress(readMailbox(ctx.mail.from)?.address ?? "")) {
    return { allowed: false, dkim: null, bounce_domain: null, links: null };
  }
  const senders = cache.get(ctx.db) ?? new Map();
  cache.set(ctx.db, senders);
  const name = `${tenant.project_id} ${tenant.livemode} ${mailbox.domain}`;
  const known = senders.get(name);
  const nowMs = ctx.now().getTime();
  if (known !== undefined && known.until > nowMs) return known.sender;
  const sender = await loadSender(ctx, tenant, mailbox.domain);
  if (senders.size >= cacheMax) senders.clear();
  if (sender.allowed) senders.set(name, { until: nowMs + cacheMs, sender });
  return sender;
}

/** Called when a domain changes: clears this process's cache of senders. */
export function clearSenderCache(ctx: Pick<Ctx, "db">): void {
  cache.delete(ctx.db);
}

async function loadSender(ctx: SenderCtx, tenant: Tenant, domain: string): Promise<Sender> {
  if (tenant.project_id === ownProject.project_id) return { allowed: true, dkim: await platformKey(ctx), bounce_domain: null, links: null };
  const own = await findVerified(ctx.db, tenant, namesAbove(domain));
  if (own !== null)
    return { allowed: true, dkim: keyOf(ctx.masterKeys, own), bounce_domain: bounceDomainOf(own), links: linksOf(ctx, own) };
  if (tenant.livemode && domain !== ctx.mail.domain) return { allowed: false, dkim: null, bounce_domain: null, links: null };
  return { allowed: true, dkim: await platformKey(ctx), bounce_domain: null, links: null };
}

async function platformKey(ctx: SenderCtx): Promise<DkimKey | null> {
  const platform = await findDomainByName(ctx.db, ownProject, ctx.mail.domain);
  return platform === null ? null : keyOf(ctx.masterKeys, platform);
}

/** A name and its parent domains, down to two labels. */
function namesAbove(domain: string): string[] {
  const labels = domain.split(".");
  return labels.slice(0, -1).map((_label, index) => labels.slice(index).join("."));
}

function linksOf({ mail }: SenderCtx, row: DomainRow): string | null {
  const host = row.records.find(({ purpose, status }) => purpose === "links" && status === "verified")?.name;
  return host === undefined || mail.linksUrl == null ? null : `${new URL(mail.linksUrl).protocol}//${host}`;
}

function bounceDomainOf(row: DomainRow): string | null {
  return row.records.find(({ purpose, status }) => purpose === "return_path" && status === "verified")?.name ?? null;
}

const keys = new Map<string, KeyObject>();
const maxKeys = 1_000;

/** Decrypted once: reading a key costs more than signing with it. */
function keyOf(masterKeys: MasterKeys, row: DomainRow & DomainKeys): DkimKey {
  let key = keys.get(row.private_key);
  if (key === undefined) {
    key = readDkimKey(open(masterKeys, { table: "domains", column: "private_key", row: row.id }, row.private_key).toString("utf8"));
    if (keys.size >= maxKeys) keys.clear();
    keys.set(row.private_key, key);
  }
  return { domain: row.name, selector: row.selector, key };
}
