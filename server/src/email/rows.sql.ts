import { type Ctx, isoOf, readText, type Tenant, type Tx } from "#platform/index.ts";
import { byKey, type ColumnsOf, columns, type Db, known, type Pipe, type Sent, send, sql } from "#platform/sql.ts";
import { findPacked, type OwnText } from "./parts.sql.ts";
import type { EmailBody, EmailBundle, EmailRow, RecipientRow, SendBody } from "./shapes.ts";
import { type Parted, readSendBody } from "./stored-body.ts";

export type EmailKey = Tenant & { id: string };

export const recipientColumns: ColumnsOf<RecipientRow> = columns(
  "email_recipients",
  `
  project_id, livemode, email_id, position, id, type, address, domain, status, state, due_at, expires_at, lease, lease_until, deaths,
  attempts, step, smtp_code, enhanced_code, diagnostic, bounce, sequel, sequel_at, sent_at, delivered_at, created_at, updated_at`,
);

export const emailColumns: ColumnsOf<EmailRow> = columns(
  "emails",
  `
  project_id, livemode, id, status, version, sequence, last_event, from_address, from_text, addressees, subject, category, tags, metadata,
  features, message_id, status_callback, batch_id, size_bytes, secret, recipients, delay_told, opens, clicks, error, provider, scheduled_at,
  expires_at, sent_at, delivered_at, created_at, updated_at`,
);

export async function findEmailRow(db: Db, tenant: Tenant, id: string): Promise<EmailRow | null> {
  const [row] = await byKey(db)<EmailRow>`
    select ${emailColumns} from emails where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}`;
  return row ?? null;
}

/** Recipients of several messages of one tenant, in their order. */
export async function listRecipients(db: Db, tenant: Tenant, emailIds: string[]): Promise<RecipientRow[]> {
  return sql(db)<RecipientRow>`
    select ${recipientColumns} from email_recipients
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and email_id = any (${emailIds}::text[])
    order by email_id, position`;
}

export async function findBody(ctx: Pick<Ctx, "db" | "masterKeys">, tenant: Tenant, emailId: string): Promise<EmailBody | null> {
  const body = await findSendBody(ctx, tenant, emailId);
  if (body === null) return null;
  const [html, text] = await Promise.all([body.html && readText(body.html), body.text && readText(body.text)]);
  return { ...body, html, text };
}

/** Like `findBody`, for a message to be composed: its long texts are bytes. */
export async function findSendBody(ctx: Pick<Ctx, "db" | "masterKeys">, tenant: Tenant, emailId: string): Promise<SendBody | null> {
  const stored = await findStoredBody(ctx.db, tenant, emailId);
  if (stored === null) return null;
  const own = { project_id: tenant.project_id, livemode: tenant.livemode, email_id: emailId };
  try {
    return await readSendBody(ctx.masterKeys, { email_id: emailId, stored, gather: (parted) => findParts(ctx.db, own, parted) });
  } catch (error) {
    // Texts may be deleted between two statements.
    if (error instanceof PartsGone && (await findStoredBody(ctx.db, tenant, emailId)) === null) return null;
    throw error;
  }
}

class PartsGone extends Error {}

async function findParts(db: Db, own: OwnText, parted: Parted): Promise<Uint8Array> {
  const packed = await findPacked(db, own, parted);
  if (packed === null) throw new PartsGone(`parts of the texts of ${own.email_id} are gone`);
  return packed;
}

async function findStoredBody(db: Db, tenant: Tenant, emailId: string): Promise<string | null> {
  const [row] = await sql(db)<{ body: string }>`
    select body from email_bodies where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and email_id = ${emailId}`;
  return row?.body ?? null;
}

/** Locks messages until this transaction ends, in the same order everywhere: a change of a recipient locks its message first. */
export function lockEmails<On extends Tx | Pipe>(tx: On, keys: EmailKey[]): Sent<On, EmailRow[]> {
  return send(
    tx,
    sql(tx)<EmailRow>`
    -- all tenants: each key names its own project and environment
    select ${emailColumns.of("e")} from emails e
    join unnest(${keys.map((key) => key.project_id)}::text[], ${keys.map((key) => String(key.livemode))}::text[]::boolean[],
      ${keys.map((key) => key.id)}::text[]) as key (project_id, livemode, id)
      on e.project_id = key.project_id and e.livemode = key.livemode and e.id = key.id
    order by e.project_id, e.livemode, e.id for no key update of e`,
    (rows) => rows,
  );
}

/** Recipients of messages of any tenant, in their order. */
export function listRecipientsOf<On extends Tx | Pipe>(tx: On, keys: EmailKey[]): Sent<On, RecipientRow[]> {
  return send(
    tx,
    sql(tx)<RecipientRow>`
    -- all tenants: each key names its own project and environment
    select ${recipientColumns.of("r")} from email_recipients r
    join unnest(${keys.map((key) => key.project_id)}::text[], ${keys.map((key) => String(key.livemode))}::text[]::boolean[],
      ${keys.map((key) => key.id)}::text[]) as key (project_id, livemode, id)
      on r.project_id = key.project_id and r.livemode = key.livemode and r.email_id = key.id
    order by r.project_id, r.livemode, r.email_id, r.position`,
    (rows) => rows,
  );
}

/** The changed columns of a recipient; `from` is the state that it was read in. */
export type RecipientChange = RecipientRow & { sequel: string | null; sequel_at: Date | null };

/**
 * Writes recipients and frees their leases; a transition that isn't among `moves` (`from>to`) changes nothing. Returns how many were
 * written.
 */
export function updateRecipients<On extends Tx | Pipe>(tx: On, rows: RecipientChange[], moves: readonly string[]): Sent<On, number> {
  if (rows.length === 0) return known(tx, 0);
  const given = sql(tx).json(rows.map((row) => ({ ...row, due_at: isoOf(row.due_at), sent_at: isoOf(row.sent_at) })));
  return send(
    tx,
    sql(tx)`
    -- all tenants: each row names its own project and environment
    update email_recipients r set status = g.status, state = g.state, due_at = g.due_at, expires_at = g.expires_at, lease = null,
      lease_until = null, deaths = coalesce(g.deaths, r.deaths), attempts = g.attempts, step = g.step, smtp_code = g.smtp_code,
      enhanced_code = g.enhanced_code, diagnostic = g.diagnostic, bounce = g.bounce, sequel = g.sequel, sequel_at = g.sequel_at,
      sent_at = g.sent_at, delivered_at = g.delivered_at, updated_at = g.updated_at
    from jsonb_to_recordset(${given}) as g (project_id text collate "C", livemode boolean, email_id text collate "C", position smallint,
      status text, state text, due_at timestamptz, expires_at timestamptz, deaths smallint, attempts int, step int, smtp_code int,
      enhanced_code text, diagnostic text, bounce jsonb, sequel text, sequel_at timestamptz,
      sent_at timestamptz, delivered_at timestamptz, updated_at timestamptz)
    where r.project_id = g.project_id and r.livemode = g.livemode and r.email_id = g.email_id and r.position = g.position
      and (r.status = g.status or r.status || '>' || g.status = any (${[...moves]}::text[]))`,
    (written) => written.count,
  );
}

/** Writes locked messages; a transition that isn't among `moves` changes nothing. Returns how many were written. */
export function updateEmails<On extends Tx | Pipe>(tx: On, rows: EmailRow[], moves: readonly string[]): Sent<On, number> {
  if (rows.length === 0) return known(tx, 0);
  return send(
    tx,
    sql(tx)`
    -- all tenants: each row names its own project and environment
    update emails e set status = g.status, version = g.version, sequence = g.sequence, last_event = g.last_event, delay_told = g.delay_told,
      opens = g.opens, clicks = g.clicks, error = g.error, provider = g.provider, scheduled_at = g.scheduled_at, expires_at = g.expires_at,
      sent_at = g.sent_at, delivered_at = g.delivered_at, updated_at = g.updated_at
    from jsonb_to_recordset(${sql(tx).json(rows.map(changeable))}) as g (project_id text collate "C", livemode boolean, id text collate "C",
      status text, version int, sequence int, last_event text, delay_told boolean, opens int, clicks int, error jsonb, provider text,
      scheduled_at timestamptz, expires_at timestamptz, sent_at timestamptz, delivered_at timestamptz, updated_at timestamptz)
    where e.project_id = g.project_id and e.livemode = g.livemode and e.id = g.id
      and (e.status = g.status or e.status || '>' || g.status = any (${[...moves]}::text[]))`,
    (written) => written.count,
  );
}

/** Only the columns that can change are sent: a message's addresses and texts can be long. */
function changeable(email: EmailRow) {
  const { project_id, livemode, id, status, version, sequence, last_event, delay_told, opens, clicks, error, provider } = email;
  const { scheduled_at, expires_at, sent_at, delivered_at, updated_at } = email;
  const same = { project_id, livemode, id, status, version, sequence, last_event, delay_told, opens, clicks, error, provider };
  return { ...same, scheduled_at, expires_at, sent_at, delivered_at, updated_at };
}

/** The message that a recipient's id belongs to, of any tenant. */
export async function findEmailKey(db: Db, { recipient_id }: { recipient_id: string }): Promise<EmailKey | null> {
  const [row] = await byKey(db)<EmailKey>`
    -- all tenants: a return address names a recipient and nothing else
    select project_id, livemode, email_id as id from email_recipients where id = ${recipient_id}`;
  return row ?? null;
}

/** Groups recipients with their messages. */
export function bundlesOf(emails: EmailRow[], recipients: RecipientRow[]): EmailBundle[] {
  const byEmail = Map.groupBy(recipients, (row) => `${row.project_id} ${row.livemode} ${row.email_id}`);
  return emails.map((email) => ({ email, recipients: byEmail.get(`${email.project_id} ${email.livemode} ${email.id}`) ?? [] }));
}

/** Clears the sealed texts of messages of any tenant. Their rows remain, because they determine when the attempts are deleted. */
export async function updateSealedBodies(tx: Tx, keys: readonly EmailKey[]): Promise<void> {
  await sql(tx)`
    -- all tenants: each key names its own project and environment
    update email_bodies b set body = ${JSON.stringify(noTexts)}
    from unnest(${keys.map((key) => key.project_id)}::text[], ${keys.map((key) => String(key.livemode))}::text[]::boolean[],
      ${keys.map((key) => key.id)}::text[]) as key (project_id, livemode, id)
    where b.project_id = key.project_id and b.livemode = key.livemode and b.email_id = key.id and b.body like 'v1.%'`;
}

const noTexts: EmailBody = { html: null, text: null, headers: {}, attachments: [] };

/** Deletes the sealed texts of messages. */
export async function deleteSealedBodies(tx: Tx, tenant: Tenant, emailIds: string[]): Promise<void> {
  await sql(tx)`
    delete from email_bodies where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and email_id = any (${emailIds}::text[]) and body like 'v1.%'`;
}
