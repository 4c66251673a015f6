import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import { findSmsRow } from "../rows.sql.ts";
import type { FoundSms, SmsRow } from "../shapes.ts";
import { listBodies, listIds } from "./sql.ts";

/** One message with its text, while that is kept. Throws resource_missing. */
export async function findSms(ctx: Ctx, tenant: Tenant, id: string): Promise<FoundSms> {
  const sms = await findSmsRow(ctx.db, tenant, id);
  if (sms === null) throw platformErrors.resource_missing({ param: "id" });
  const [found] = await completeSms(ctx, tenant, [sms]);
  return found as FoundSms;
}

/** Messages of one tenant with their texts and the ids that carriers gave them. */
export async function completeSms(ctx: Pick<Ctx, "db">, tenant: Tenant, rows: readonly SmsRow[]): Promise<FoundSms[]> {
  if (rows.length === 0) return [];
  const keys = rows.map(({ id }) => id);
  const [bodies, ids] = await Promise.all([listBodies(ctx.db, tenant, keys), listIds(ctx.db, tenant, keys)]);
  const bodyOf = new Map(bodies.map(({ sms_id, body }) => [sms_id, body]));
  const idsOf = Map.groupBy(ids, ({ sms_id }) => sms_id);
  return rows.map((sms) => ({
    sms,
    body: bodyOf.get(sms.id) ?? null,
    provider_message_ids: (idsOf.get(sms.id) ?? []).map(({ provider_message_id }) => provider_message_id),
  }));
}
