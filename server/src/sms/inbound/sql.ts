import type { Tenant, Tx } from "#platform/index.ts";
import { type Db, type Fragment, sql } from "#platform/sql.ts";
import type { SmsRow } from "../shapes.ts";

/** Identifies the parts that belong together. */
interface PartsKey {
  sender: string;
  recipient: string;
  message_key: string;
}

/** They may arrive on any connection to the carrier's account. */
export interface InboundKey extends PartsKey {
  providers: readonly string[];
}

export interface InboundPartRow extends PartsKey {
  provider: string;
  place: number;
  total: number;
  body: string;
  encoding: SmsRow["encoding"];
  received_at: Date;
  joined_at: Date | null;
}

/** A part that already exists doesn't change. */
export async function insertInboundPart(tx: Tx, part: InboundPartRow): Promise<void> {
  await sql(tx)`
    insert into sms_inbound_parts (provider, sender, recipient, message_key, place, total, body, encoding, received_at)
    values (${part.provider}, ${part.sender}, ${part.recipient}, ${part.message_key}, ${part.place}, ${part.total}, ${part.body},
      ${part.encoding}, app_now())
    on conflict do nothing`;
}

/** Locks the existing parts of a message, in order. */
export async function lockInboundParts(tx: Tx, key: InboundKey): Promise<InboundPartRow[]> {
  return sql(tx)<InboundPartRow>`
    select provider, sender, recipient, message_key, place, total, body, encoding, received_at, joined_at from sms_inbound_parts
    where ${isOf(tx, key)} order by place, provider for update`;
}

/** Marks the message as reported, and replaces its texts with a hash: when the message is deleted, its texts are gone. */
export async function updateJoined(tx: Tx, key: InboundKey, traceLength: number): Promise<void> {
  await sql(tx)`
    update sms_inbound_parts set joined_at = app_now(), body = left(encode(sha256(convert_to(body, 'UTF8')), 'hex'), ${traceLength})
    where ${isOf(tx, key)}`;
}

export async function deleteInboundParts(tx: Tx, key: InboundKey): Promise<void> {
  await sql(tx)`
    delete from sms_inbound_parts where ${isOf(tx, key)}`;
}

function isOf(tx: Tx, { providers, sender, recipient, message_key }: InboundKey): Fragment {
  return sql(tx)`provider = any (${[...providers]}::text[]) and sender = ${sender} and recipient = ${recipient}
    and message_key = ${message_key}`;
}

/** Messages whose first part came before a given time. */
export async function listStaleInbound(db: Db, before: Date, limit: number): Promise<(PartsKey & { provider: string })[]> {
  return sql(db)<PartsKey & { provider: string }>`
    select distinct provider, sender, recipient, message_key from (
      select provider, sender, recipient, message_key from sms_inbound_parts where received_at < ${before}
      order by received_at limit ${limit}) stale`;
}

/** Replies to a recipient's keywords since an earlier and a later time. */
export async function countAnswers(
  tx: Tx,
  tenant: Tenant,
  given: { sender: string; recipient: string; since: Date; recently: Date },
): Promise<{ total: number; recent: number }> {
  const [row] = await sql(tx)<{ total: number; recent: number }>`
    select count(*) as total, count(*) filter (where created_at > ${given.recently}) as recent from sms
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and recipient = ${given.recipient}
      and sender = ${given.sender} and direction = 'outbound' and keyword is not null and created_at > ${given.since}`;
  return row ?? { total: 0, recent: 0 };
}
