import type { NewEvent } from "#events/index.ts";
import { messageEvent, type Place } from "#messaging/index.ts";
import { isoOf, type Tenant } from "#platform/index.ts";
import { callChannel } from "./channel/call-channel.ts";
import type { CallRow } from "./shapes.ts";

/** What an event contains in addition to the call and its place in the call's history. */
export interface CallChange {
  event: string;
  /** The keys pressed for a gather. */
  gathered?: { name: string; digits: string; attempts: number };
  recording?: object;
}

/** A call's event, with the call as it is afterwards, without what it says and plays. */
export function callEvent(call: CallRow, { event, ...details }: CallChange, place: Place): NewEvent & { tenant: Tenant } {
  return messageEvent(callChannel, call, { event, place, shown: shownIn(call), details });
}

/** A call as events and requests to the merchant's address show it. */
export function shownIn(call: CallRow) {
  const { id, status, sip_code, hangup_by, answered_by, gathered, digits, duration, ring_duration, tags, metadata, batch_id, error } = call;
  return {
    id,
    object: "call",
    status,
    direction: "outbound",
    from: call.from_number,
    to: call.to_number,
    country: call.country,
    duration,
    ring_duration,
    sip_code,
    hangup_by,
    answered_by,
    gathered,
    digits,
    tags,
    metadata,
    batch_id,
    error,
    created_at: isoOf(call.created_at),
    answered_at: isoOf(call.answered_at),
    ended_at: isoOf(call.ended_at),
  };
}
