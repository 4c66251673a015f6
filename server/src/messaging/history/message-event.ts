import type { NewEvent } from "#events/index.ts";
import { isoOf, type Tenant } from "#platform/index.ts";
import type { Channel } from "../channel.ts";

/** An event's position in its message's history. */
export interface Place {
  previous_status: string | null;
  sequence: number;
  occurred_at: Date;
}

interface History {
  status: string;
  sequence: number;
  last_event: string | null;
}

/** Counts the events of one change of a message, starting with its current status. */
export function historyOf(message: History, occurred_at: Date): { next(event: string): Place } {
  const previous_status = message.status;
  return {
    next(event) {
      message.sequence += 1;
      message.last_event = event;
      return { previous_status, sequence: message.sequence, occurred_at };
    },
  };
}

interface EventParts {
  event: string;
  place: Place;
  /** The channel's view of the message after the change. */
  shown: object;
  /** Fields of this kind of event only. */
  details?: object;
}

/** An event of a message, for its project and for the callback address in its request. */
export function messageEvent(
  { name }: Pick<Channel, "name">,
  message: Tenant & { id: string; status_callback: string | null },
  { event, place, shown, details }: EventParts,
): NewEvent & { tenant: Tenant } {
  const { previous_status, sequence, occurred_at } = place;
  return {
    tenant: { project_id: message.project_id, livemode: message.livemode },
    event: `${name}.${event}`,
    object_id: message.id,
    callback_url: message.status_callback,
    data: { [name]: shown, previous_status, sequence, occurred_at: isoOf(occurred_at), ...details },
  };
}
