import { createPublicKey, generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { recordAudit } from "#audit/index.ts";
import { atNow, type Ctx, ownProject, platformErrors, randomBase62, seal, type Tenant, type Tx } from "#platform/index.ts";
import type { KeyPair } from "../settings.ts";
import { clearSenderCache } from "./find-sender.ts";
import { readDomainName } from "./read-mailbox.ts";
import { recordsOf } from "./records.ts";
import { type DomainRow, findDomainByName, insertDomain, lockDomainCount } from "./sql.ts";

const makePair = promisify(generateKeyPair);
const maxDomains = 100;
const minuteMs = 60_000;

interface NewDomain {
  name: string;
  /** A label under the domain. */
  custom_return_path?: string;
  /** A label under the domain, for links in email. */
  tracking_subdomain?: string;
}

/**
 * Registers a domain to send from, with a new DKIM key pair. The result lists the records to publish; the first check follows in a minute.
 * Throws parameter_invalid for a name that is invalid, exists already or is the platform's, and limit_reached.
 */
export async function createDomain(ctx: Ctx, tenant: Tenant, input: NewDomain): Promise<DomainRow> {
  const name = readDomainName(input.name);
  if (name === null)
    throw platformErrors.parameter_invalid({
      param: "name",
      reason: "not_a_domain",
      message: "This isn't a domain name such as mail.example.com.",
    });
  if (name === ctx.mail.domain || name.endsWith(`.${ctx.mail.domain}`)) {
    throw platformErrors.parameter_invalid({
      param: "name",
      reason: "platform_domain",
      message: "This is the platform's domain. Every project can already send from it.",
    });
  }
  const returnPath = labelIn("custom_return_path", input.custom_return_path);
  const linksLabel = labelIn("tracking_subdomain", input.tracking_subdomain);
  const keys = await makeKeys(ctx);
  const made = await ctx.transact(async (tx) => {
    if ((await lockDomainCount(tx, tenant)) >= maxDomains) {
      throw platformErrors.limit_reached({ message: `A project can have up to ${maxDomains} domains in each environment.` });
    }
    const row = await writeDomain(tx, await atNow(ctx, tx), { tenant, name, keys, returnPath, linksLabel });
    if (row === null) {
      const known = await findDomainByName(tx, tenant, name);
      const fields = known === null ? {} : { existing_domain_id: known.id };
      throw platformErrors.parameter_invalid({
        param: "name",
        reason: "domain_exists",
        message: "This project already has this domain.",
        fields,
      });
    }
    await recordAudit(tx, { ctx, tenant, action: "domain.created", object_type: "domain", object_id: row.id, detail: { name } });
    return row;
  });
  clearSenderCache(ctx);
  return made;
}

/** Makes a domain's key pair in the way that the context's settings say. */
export function makeKeys({ mail }: Pick<Ctx, "mail">): Promise<KeyPair> {
  return (mail.makeKeys ?? makeNewKeys)();
}

/** 2048 bits: the most that every name server can publish, and what receivers expect. Generated in the thread pool. */
export async function makeNewKeys(): Promise<KeyPair> {
  const { privateKey } = await makePair("rsa", { modulusLength: 2048 });
  const public_key = createPublicKey(privateKey).export({ type: "spki", format: "der" }).toString("base64");
  return { public_key, private_pem: String(privateKey.export({ type: "pkcs8", format: "pem" })) };
}

/** Checks one label of a name under the domain. Throws parameter_invalid. */
function labelIn(param: string, text: string | undefined): string | undefined {
  const label = text?.toLowerCase();
  if (label === undefined || /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label)) return label;
  throw platformErrors.parameter_invalid({
    param,
    reason: "not_a_label",
    message: "This isn't a single label of a domain name, such as send.",
  });
}

interface Written {
  tenant: Tenant;
  name: string;
  keys: KeyPair;
  returnPath?: string | undefined;
  linksLabel?: string | undefined;
}

/** Inserts a domain's row at the time of `pinned`; null if the project already has one of this name. */
export function writeDomain(tx: Tx, pinned: Ctx, given: Written): Promise<DomainRow | null> {
  const { tenant, name, keys, returnPath, linksLabel } = given;
  const id = pinned.id("dom");
  const token = randomBase62(32);
  // Two projects may both have a domain, so each has its own selector.
  const selector = `tp${id.slice(-10)}`;
  const { domain: platformDomain, bounceDomain, linksUrl } = pinned.mail;
  const linksHost = linksUrl == null ? null : new URL(linksUrl).hostname;
  const records = recordsOf({
    name,
    token,
    selector,
    public_key: keys.public_key,
    platformDomain,
    bounceDomain,
    returnPath,
    linksHost,
    linksLabel,
  });
  return insertDomain(tx, {
    project_id: tenant.project_id,
    livemode: tenant.livemode,
    id,
    name,
    token,
    selector,
    public_key: keys.public_key,
    private_key: seal(pinned.masterKeys, { table: "domains", column: "private_key", row: id }, keys.private_pem),
    // The platform has no ownership to prove to itself, and only its operator knows which servers its SPF record lists.
    records:
      tenant.project_id === ownProject.project_id ? records.filter(({ purpose }) => purpose === "dkim" || purpose === "dmarc") : records,
    next_check_at: new Date(pinned.now().getTime() + minuteMs),
    created_at: pinned.now(),
  });
}
