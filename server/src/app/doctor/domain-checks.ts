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
    const message = `${ctx.mail.domain} has no DKIM key: email from it is unsigned`;
    return [
      { check, state: "note", message, fix: "Set EMAIL_DOMAIN to one of your domains; a worker then creates its key within an hour." },
    ];
  }
  const { records } = await verifyDomain(ctx, ownProject, { id: found.id, ...(dns === undefined ? {} : { dns }) });
  const open = records.filter(({ status }) => status !== "verified");
  if (open.length === 0) return [{ check, state: "fine", message: `DKIM and DMARC of ${found.name} are published` }];
  return open.map(({ type, name, value, purpose }) => ({
    check,
    state: purpose === "dkim" ? "fault" : "note",
    message: `the ${purpose.toUpperCase()} record of ${found.name} wasn't found`,
    fix: `Publish ${type} ${name} = ${value}`,
  }));
}
