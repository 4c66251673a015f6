import { isoOf } from "#platform/index.ts";
import { joinJson, type Pipe, type Sent, send, sql, type Tx } from "#platform/sql.ts";
import type { SmsRow } from "../shapes.ts";
import type { NewSms } from "./new-sms.ts";

const json = (values: unknown[]) => joinJson(values.map((value) => JSON.stringify(value)));
const iso = (times: (Date | null)[]) => times.map((at) => isoOf(at));

/**
 * Inserts messages of many tenants, with their texts.
 *
 * Plan: no index is read but those that the inserts check: all rows come from the parameters, one array for each column, so that the
 * statement and its plan are the same for any number of messages. Tags and metadata go as one text each, split by character 31, because
 * the quotes of JSON would need escaping in an array. Both inserts read `given`, so each array is sent once.
 */
export function insertSmsRows<On extends Tx | Pipe>(tx: On, messages: readonly NewSms[]): Sent<On, void> {
  const of = <K extends keyof SmsRow>(name: K) => messages.map(({ sms }) => sms[name]);
  return send(
    tx,
    sql(tx)`
    with given as (
      select * from unnest(${of("project_id")}::text[], ${of("livemode").map(String)}::text[]::boolean[], ${of("id")}::text[],
        ${of("direction")}::text[], ${of("status")}::text[], ${of("sequence")}::int[], ${of("last_event")}::text[], ${of("sender")}::text[],
        ${of("sender_kind")}::text[], ${of("recipient")}::text[], ${of("country")}::text[], ${of("encoding")}::text[],
        ${of("segments")}::smallint[], ${of("reference")}::smallint[], ${of("keyword")}::text[], ${of("category")}::text[],
        string_to_array(${json(of("tags"))}, chr(31)), string_to_array(${json(of("metadata"))}, chr(31)), ${of("status_callback")}::text[],
        ${of("batch_id")}::text[], ${of("provider")}::text[], ${of("state")}::text[], ${iso(of("due_at"))}::timestamptz[],
        ${iso(of("scheduled_at"))}::timestamptz[], ${iso(of("expires_at"))}::timestamptz[], ${iso(of("created_at"))}::timestamptz[],
        ${messages.map(({ body }) => body)}::text[], ${messages.map(({ sealed_body }) => sealed_body)}::text[])
        as row (project_id, livemode, id, direction, status, sequence, last_event, sender, sender_kind, recipient, country, encoding,
          segments, reference, keyword, category, tags, metadata, status_callback, batch_id, provider, state, due_at, scheduled_at,
          expires_at, created_at, body, sealed_body)),
    made as (
      insert into sms (project_id, livemode, id, direction, status, sequence, last_event, sender, sender_kind, recipient, country, encoding,
        segments, reference, keyword, category, tags, metadata, status_callback, batch_id, provider, state, due_at, scheduled_at,
        expires_at, created_at, updated_at, sealed_body)
      select project_id, livemode, id, direction, status, sequence, last_event, sender, sender_kind, recipient, country, encoding, segments,
        reference, keyword, category, tags::jsonb, metadata::jsonb, status_callback, batch_id, provider, state, due_at, scheduled_at,
        expires_at, created_at, created_at, sealed_body
      from given)
    insert into sms_bodies (project_id, livemode, sms_id, body, created_at)
    select project_id, livemode, id, body, created_at from given`,
    () => {},
  );
}

interface Wanted extends Pick<SmsRow, "project_id" | "livemode" | "sender" | "recipient"> {
  wanted: number;
}

/** Reserves as many consecutive references for each pair as it wants; returns the last one of each. */
export async function insertReferences(tx: Tx, pairs: readonly Wanted[]): Promise<number[]> {
  const of = <K extends keyof Wanted>(name: K) => pairs.map((pair) => pair[name]);
  const rows = await sql(tx)<Omit<Wanted, "wanted"> & { reference: number }>`
    -- all tenants: each pair names its own project and environment
    insert into sms_references as r (project_id, livemode, sender, recipient, reference, used_at)
    select project_id, livemode, sender, recipient, wanted - 1, app_now()
    from unnest(${of("project_id")}::text[], ${of("livemode").map(String)}::text[]::boolean[], ${of("sender")}::text[],
      ${of("recipient")}::text[], ${of("wanted")}::int[]) as given (project_id, livemode, sender, recipient, wanted)
    on conflict (project_id, livemode, sender, recipient) do update
      set reference = (r.reference + excluded.reference + 1) % 65536, used_at = excluded.used_at
    returning project_id, livemode, sender, recipient, reference`;
  const nameOf = (pair: Omit<Wanted, "wanted">) => `${pair.project_id} ${pair.livemode} ${pair.sender} ${pair.recipient}`;
  const known = new Map(rows.map((row) => [nameOf(row), row.reference]));
  return pairs.map((pair) => known.get(nameOf(pair)) ?? 0);
}
