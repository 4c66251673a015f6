import type { NewEvent } from "#events/index.ts";
import { messageEvent, type Place } from "#messaging/index.ts";
import { isoOf, type Tenant } from "#platform/index.ts";
import { smsChannel } from "./channel/sms-channel.ts";
import type { Keyword, SmsRow } from "./shapes.ts";

/** What an event tells besides the message and its place in the message's history. */
export interface Told {
  event: string;
  /** What came in. */
  inbound?: { body: string; keyword: Keyword | null };
}

/** An event of a message, with the message as it is afterwards. Texts of outbound messages stand in none. */
export function smsEvent(sms: SmsRow, { event, inbound }: Told, place: Place): NewEvent & { tenant: Tenant } {
  return messageEvent(smsChannel, sms, { event, place, shown: shownIn(sms), ...(inbound === undefined ? {} : { details: { inbound } }) });
}

function shownIn(sms: SmsRow) {
  const { id, direction, status, sender, recipient, country, encoding, segments, segments_sent, tags, metadata, batch_id, error, created_at } = sms;
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
