import type { NewEvent } from "#events/index.ts";
import { messageEvent, type Place } from "#messaging/index.ts";
import { isoOf, type Tenant } from "#platform/index.ts";
import { showSent, type VerificationRow } from "./shapes.ts";

/** A verification's event, with the verification as it is afterwards, without the code. */
export function verificationEvent(row: VerificationRow, event: string, place: Place): NewEvent & { tenant: Tenant } {
  return messageEvent({ name: "verification" }, { ...row, status_callback: null }, { event, place, shown: shownIn(row) });
}

function shownIn(row: VerificationRow) {
  const { id, status, recipient, country, channels, channel, locale, template, sends, error, metadata } = row;
  return {
    id,
    object: "verification",
    status,
    to: recipient,
    country,
    ...{ channels, channel, locale, template },
    attempts_left: row.checks_left,
    sends_left: row.sends_left,
    sends: sends.map(showSent),
    ...{ error, metadata },
    expires_at: isoOf(row.expires_at),
    created_at: isoOf(row.created_at),
  };
}
