import type { NewEvent } from "#events/index.ts";
import { messageEvent, type Place } from "#messaging/index.ts";
import { isoOf, type Tenant } from "#platform/index.ts";
import { smsChannel } from "./channel/sms-channel.ts";
import type { Keyword, SmsRow } from "./shapes.ts";

/** What an event contains in addition to the message and its place in the message's history. */
export interface SmsEventParts {
  event: string;
  /** The inbound message. */
  inbound?: { body: string; keyword: Keyword | null };
}

/** A message's event, with the message as it is afterwards, without the texts of outbound messages. */
export function smsEvent(sms: SmsRow, { event, inbound }: SmsEventParts, place: Place): NewEvent & { tenant: Tenant } {
  return messageEvent(smsChannel, sms, { event, place, shown: shownIn(sms), ...(inbound === undefined ? {} : { details: { inbound } }) });
}

function shownIn(sms: SmsRow) {
  const {
    id,
    direction,
    status,
    sender,
    recipient,
    country,
    encoding,
    segments,
    segments_sent,
    tags,
    metadata,
    batch_id,
    error,
    created_at,
  } = sms;
  const counts = { encoding, segments, segments_sent };
  return {
    id,
    object: "sms",
    direction,
    status,
    from: sender,
    to: recipient,
    country,
    ...counts,
    tags,
    metadata,
    batch_id,
    error,
    created_at: isoOf(created_at),
  };
}
