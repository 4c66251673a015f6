import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** Puts HTML into a stored message, as in one accepted before a rule existed. */
export async function updateHtml(db: Db, tenant: Tenant, given: { email_id: string; html: string }): Promise<void> {
  await sql(db)`
    update email_bodies set body = jsonb_set(body::jsonb, '{html}', to_jsonb(${given.html}::text))::text
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and email_id = ${given.email_id}`;
}

/** A message's texts as stored in the database. */
export async function listStoredBodies(db: Db, tenant: Tenant, emailId: string): Promise<string[]> {
  const rows = await sql(db)<{ body: string }>`
    select body from email_bodies where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and email_id = ${emailId}`;
  return rows.map(({ body }) => body);
}

/** Stores a message's texts as another version did. */
export async function updateStoredBody(db: Db, tenant: Tenant, given: { email_id: string; body: string }): Promise<void> {
  await sql(db)`
    update email_bodies set body = ${given.body}
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and email_id = ${given.email_id}`;
}

/** How many parts a message's long texts have. */
export async function countParts(db: Db, tenant: Tenant, emailId: string): Promise<number> {
  const [row] = await sql(db)<{ parts: number }>`
    select count(*)::int as parts from email_body_parts
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and email_id = ${emailId}`;
  return row?.parts ?? 0;
}

/** Deletes one part of a message's long texts. */
export async function deleteParts(db: Db, tenant: Tenant, { email_id, part }: { email_id: string; part: number }): Promise<void> {
  await sql(db)`
    delete from email_body_parts
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and email_id = ${email_id} and part = ${part}`;
}
