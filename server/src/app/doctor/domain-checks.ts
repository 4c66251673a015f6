import { type DomainDns, findPlatformDomain, verifyDomain } from "#email/index.ts";
import { type Ctx, ownProject } from "#platform/index.ts";
import type { Settings } from "../config.ts";
import type { Finding } from "./checks.ts";

const check = "mail";

/** Checks whether recipients can find the key that signs email of the platform's own domain. Returns nothing while no email is sent. */
export async function checkPlatformDomain(ctx: Ctx, settings: Settings, dns?: DomainDns): Promise<Finding[]> {
  if (settings.EMAIL_TRANSPORT === "outbox") return [];
  const found = await findPlatformDomain(ctx);
  if (found === null) {
    const message = `${ctx.mail.domain} has no DKIM key: mail from it goes unsigned`;
    return [{ check, state: "note", message, fix: "Set EMAIL_DOMAIN to a domain of yours; a worker then makes its key within the hour." }];
  }
  const { records } = await verifyDomain(ctx, ownProject, { id: found.id, ...(dns === undefined ? {} : { dns }) });
  const open = records.filter(({ status }) => status !== "verified");
  if (open.length === 0) return [{ check, state: "fine", message: `DKIM and DMARC of ${found.name} are published` }];
  return open.map(({ type, name, value, purpose }) => ({
    check,
    state: purpose === "dkim" ? "fault" : "note",
    message: `the ${purpose.toUpperCase()} record of ${found.name} was not found`,
    fix: `Publish ${type} ${name} = ${value}`,
  }));
}
