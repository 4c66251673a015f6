import { isoOf } from "#platform/index.ts";
import { joinJson, type Pipe, type Sent, send, sql, type Tx } from "#platform/sql.ts";
import type { EmailRow, RecipientRow } from "../shapes.ts";
import type { NewMessage } from "./new-message.ts";

const json = (values: unknown[]) => joinJson(values.map((value) => JSON.stringify(value)));
const iso = (times: (Date | null)[]) => times.map((at) => isoOf(at));

/**
 * Inserts messages of many tenants, with their short texts.
 *
 * Plan: no index is read but those that the inserts check: all rows come from the parameters, one array for each column, so that the
 * statement and its plan are the same for any number of messages. What is JSON goes as one text for each column, split by character 31,
 * because its quotes would need escaping in an array. Each part of the statement reads `given`, so each array is sent once.
 */
export function insertEmailRows<On extends Tx | Pipe>(tx: On, messages: NewMessage[]): Sent<On, void> {
  const of = <K extends keyof EmailRow>(name: K) => messages.map(({ email }) => email[name]);
  return send(
    tx,
    sql(tx)`
    with given as (
      select * from unnest(${of("project_id")}::text[], ${of("livemode").map(String)}::text[]::boolean[], ${of("id")}::text[],
        ${of("status")}::text[], ${of("sequence")}::int[], ${of("last_event")}::text[], ${of("from_address")}::text[],
        ${of("from_text")}::text[], string_to_array(${json(of("addressees"))}, chr(31)), ${of("subject")}::text[],
        ${of("category")}::text[], string_to_array(${json(of("tags"))}, chr(31)), string_to_array(${json(of("metadata"))}, chr(31)),
        string_to_array(${json(of("features"))}, chr(31)), ${of("message_id")}::text[], ${of("status_callback")}::text[],
        ${of("batch_id")}::text[], ${of("size_bytes")}::int[], ${of("secret").map(String)}::text[]::boolean[], ${of("recipients")}::int[],
        ${iso(of("scheduled_at"))}::timestamptz[], ${iso(of("expires_at"))}::timestamptz[], ${iso(of("created_at"))}::timestamptz[],
        string_to_array(${joinJson(messages.map(({ stored }) => stored.body))}, chr(31)))
        as row (project_id, livemode, id, status, sequence, last_event, from_address, from_text, addressees, subject, category, tags,
          metadata, features, message_id, status_callback, batch_id, size_bytes, secret, recipients, scheduled_at,
          expires_at, created_at, body)),
    made as (
      insert into emails (project_id, livemode, id, status, sequence, last_event, from_address, from_text, addressees, subject, category,
        tags, metadata, features, message_id, status_callback, batch_id, size_bytes, secret, recipients, scheduled_at, expires_at,
        created_at, updated_at)
      select project_id, livemode, id, status, sequence, last_event, from_address, from_text, addressees::jsonb, subject, category,
        tags::jsonb, metadata::jsonb, features::jsonb, message_id, status_callback, batch_id, size_bytes, secret, recipients, scheduled_at,
        expires_at, created_at, created_at
      from given)
    insert into email_bodies (project_id, livemode, email_id, body, created_at)
    select project_id, livemode, id, body, created_at from given`,
    () => {},
  );
}

export function insertRecipients<On extends Tx | Pipe>(tx: On, rows: RecipientRow[]): Sent<On, void> {
  const of = <K extends keyof RecipientRow>(name: K) => rows.map((row) => row[name]);
  return send(
    tx,
    sql(tx)`
    insert into email_recipients (project_id, livemode, email_id, position, id, type, address, domain, status, state, due_at, expires_at,
      created_at, updated_at)
    select *, created_at from unnest(${of("project_id")}::text[], ${of("livemode").map(String)}::text[]::boolean[],
      ${of("email_id")}::text[], ${of("position")}::int[], ${of("id")}::text[], ${of("type")}::text[], ${of("address")}::text[],
      ${of("domain")}::text[], ${of("status")}::text[], ${of("state")}::text[], ${iso(of("due_at"))}::timestamptz[],
      ${iso(of("expires_at"))}::timestamptz[], ${iso(of("created_at"))}::timestamptz[])
      as row (project_id, livemode, email_id, position, id, type, address, domain, status, state, due_at, expires_at, created_at)`,
    () => {},
  );
}
