import { recordAudit } from "#audit/index.ts";
import { emit } from "#events/index.ts";
import { type Ctx, findNow, isUnavailable, notice, ownProject, type Tenant, type Tx } from "#platform/index.ts";
import { classifyCheck } from "./classify-check.ts";
import { findDomain } from "./find-domain.ts";
import { clearSenderCache } from "./find-sender.ts";
import { type DomainDns, lookUp, pretended, systemDns } from "./look-up.ts";
import { linksRecord, requiredPurposes } from "./records.ts";
import { type DomainRow, lockDue, updateDomain } from "./sql.ts";
import { domainStates } from "./states.ts";

const leaseMs = 60_000;
const portion = 10;

/** Looks up a domain's records now and returns the result. Also restarts a failed domain. Throws resource_missing. */
export async function verifyDomain(ctx: Ctx, tenant: Tenant, input: { id: string; dns?: DomainDns }): Promise<DomainRow> {
  const seen = await findDomain(ctx, tenant, input.id);
  return (await check(ctx, seen, { dns: input.dns ?? systemDns(), isRequested: true })) ?? findDomain(ctx, tenant, input.id);
}

/** Rechecks the domains that are due: new ones at growing intervals for three days, verified ones twice a day. Returns how many. */
export async function recheckDomains(ctx: Ctx, dns: DomainDns = systemDns()): Promise<number> {
  const due = await ctx.transact((tx) => lockDue(tx, { leaseMs, limit: portion }));
  await Promise.all(due.map((row) => recheck(ctx, row, dns)));
  return due.length;
}

/** The claim already stored when a domain that can't be checked is tried again. It delays none of the others. */
async function recheck(ctx: Ctx, row: DomainRow, dns: DomainDns): Promise<void> {
  try {
    await check(ctx, row, { dns, isRequested: false });
  } catch (error) {
    if (isUnavailable(error)) throw error;
    ctx.log.error({ err: error, domain: row.id }, "a domain couldn't be checked");
  }
}

/** DNS is queried outside any transaction; the result counts unless the domain changed in the meantime. */
async function check(ctx: Ctx, found: DomainRow, given: { dns: DomainDns; isRequested: boolean }): Promise<DomainRow | null> {
  const seen = withLinks(ctx, found);
  const findings = (seen.livemode ? null : pretended(seen.name, seen.records)) ?? (await lookUp(given.dns, seen.records));
  const checked = classifyCheck(seen, findings, { now: await findNow(ctx.db), isRequested: given.isRequested });
  domainStates.check([seen.status], checked.status);
  const written = await ctx.transact(async (tx) => {
    const row = await updateDomain(tx, checked);
    if (row !== null && row.status !== seen.status) await notify(tx, ctx, row);
    if (row?.status === "failed" && seen.status === "verified" && row.project_id !== ownProject.project_id) await warn(tx, ctx, row);
    return row;
  });
  clearSenderCache(ctx);
  return written;
}

/** Adds the link record to a domain that is older than the operator's host for links. */
function withLinks({ mail }: Ctx, row: DomainRow): DomainRow {
  if (mail.linksUrl == null || row.project_id === ownProject.project_id || row.records.some(({ purpose }) => purpose === "links"))
    return row;
  return { ...row, records: [...row.records, linksRecord(row.name, new URL(mail.linksUrl).hostname)] };
}

/** Emits that a domain may be sent from, or no longer. */
async function notify(tx: Tx, ctx: Ctx, row: DomainRow): Promise<void> {
  if (row.status === "pending") return;
  if (row.project_id === ownProject.project_id) {
    ctx.log.warn({ domain: row.name, status: row.status }, "looked up the DKIM record of the platform's own domain");
    return;
  }
  const tenant = { project_id: row.project_id, livemode: row.livemode };
  const { id, name, status, records, created_at } = row;
  const domain = { id, object: "domain", name, status, records, created_at };
  await emit(tx, ctx, { tenant, events: [{ event: `domain.${status}`, object_id: id, data: { domain } }] });
  await recordAudit(tx, { ctx, tenant, action: `domain.${status}`, object_type: "domain", object_id: id, detail: { name } });
}

/** Email from this domain is refused from now on, so people have to be notified. */
async function warn(tx: Tx, ctx: Ctx, { id, name, records, project_id, livemode }: DomainRow): Promise<void> {
  const missing = records
    .filter((record) => record.status === "failed" && requiredPurposes.has(record.purpose))
    .map((record) => `${record.type} ${record.name}`);
  await notice(tx, ctx, {
    kind: "domain_lost",
    recipient: project_id,
    params: { project_id, livemode, domain_id: id, domain: name, missing },
  });
}
