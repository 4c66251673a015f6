import { isoOf } from "#platform/index.ts";
import { type Pipe, type Sent, send, sql, type Tx } from "#platform/sql.ts";
import type { CallRow } from "../shapes.ts";

/** Inserts a call, and its project's turn if this is its first call. */
export function insertCall<On extends Tx | Pipe>(tx: On, call: CallRow): Sent<On, void> {
  const tag = sql(tx);
  return send(
    tx,
    tag`
    with turn as (
      insert into call_turns (project_id, livemode) values (${call.project_id}, ${call.livemode}) on conflict do nothing)
    insert into calls (project_id, livemode, id, status, sequence, last_event, from_number, to_number, country, said, sealed_said, voice,
      language, speed, ring_s, limit_s, record, tags, metadata, status_callback, batch_id, scheduled_at, expires_at, state, due_at,
      created_at, updated_at)
    values (${call.project_id}, ${call.livemode}, ${call.id}, ${call.status}, ${call.sequence}, ${call.last_event}, ${call.from_number},
      ${call.to_number}, ${call.country}, ${call.said === null ? null : tag.json(call.said)}, ${call.sealed_said}, ${call.voice},
      ${call.language}, ${call.speed}, ${call.ring_s}, ${call.limit_s}, ${call.record}, ${tag.json(call.tags)}, ${tag.json(call.metadata)},
      ${call.status_callback}, ${call.batch_id}, ${isoOf(call.scheduled_at)}, ${call.expires_at}, ${call.state}, ${call.due_at},
      ${call.created_at}, ${call.created_at})`,
    () => {},
  );
}
