import { type Ctx, gatherReads, platformErrors, type Tenant } from "#platform/index.ts";
import type { SmsKey } from "../rows.sql.ts";
import type { FoundSms, SmsRow } from "../shapes.ts";
import { listContents, listFullSms } from "./sql.ts";

const readSms = gatherReads<SmsKey, FoundSms | null>(async (db, keys) => {
  const rows = await listFullSms(db, keys);
  const byName = new Map(rows.map(({ body, provider_message_ids, ...sms }) => [nameOf(sms), { sms, body, provider_message_ids }]));
  return keys.map((key) => byName.get(nameOf(key)) ?? null);
});

/** One message with its text, while that is retained. Throws resource_missing. */
export async function findSms(ctx: Ctx, tenant: Tenant, id: string): Promise<FoundSms> {
  const found = await readSms(ctx.db, { project_id: tenant.project_id, livemode: tenant.livemode, id });
  if (found === null) throw platformErrors.resource_missing({ param: "id" });
  return found;
}

function nameOf({ project_id, livemode, id }: SmsKey): string {
  return `${project_id} ${livemode} ${id}`;
}

/** Adds the texts and the carriers' ids to messages of one tenant. */
export async function completeSms(ctx: Pick<Ctx, "db">, tenant: Tenant, rows: readonly SmsRow[]): Promise<FoundSms[]> {
  if (rows.length === 0) return [];
  const contents = await listContents(
    ctx.db,
    tenant,
    rows.map(({ id }) => id),
  );
  const contentsOf = new Map(contents.map((one) => [one.id, one]));
  return rows.map((sms) => {
    const { body, provider_message_ids } = contentsOf.get(sms.id) ?? { body: null, provider_message_ids: [] };
    return { sms, body, provider_message_ids };
  });
}
