import type { SmsChange } from "../change/change-sms.ts";
import { errorOf } from "../error-words.ts";
import type { PartRow, SmsRow } from "../shapes.ts";

/** Many carriers report only once for a multipart message: if one part arrived, and no other was reported for this long, all arrived. */
const quietMs = 3_600_000;

/**
 * A sent message's new values after reports: undelivered if any part is, delivered if all are, or if one is and there was no report of the
 * others for an hour. One whose last parts weren't sent isn't delivered by reports of the first ones. null: nothing changes.
 */
export function classifyParts(row: SmsRow, parts: readonly PartRow[], now: Date): SmsChange | null {
  if (row.status !== "sent") return null;
  const lost = parts.find(({ status }) => status === "undelivered");
  if (lost !== undefined)
    return { status: "undelivered", error: errorOf(lost.code ?? "handset_unreachable", { provider_code: lost.provider_code }) };
  const arrived = parts.filter(({ status }) => status === "delivered");
  if (arrived.length === 0 || isCutOff(row)) return null;
  // A carrier that accepts whole texts returns one id, with the first part. While the outcome is unknown, the number of parts is too.
  const reported = parts.filter(({ provider_message_id }) => provider_message_id !== null).length;
  if (arrived.length === reported && row.error?.code !== "outcome_unknown") return delivered(row, arrived, now);
  const last = Math.max(...arrived.map(({ reported_at }) => (reported_at ?? now).getTime()));
  const settle_at = new Date(last + quietMs);
  if (settle_at <= now) return delivered(row, arrived, now);
  return row.settle_at?.getTime() === settle_at.getTime() ? null : { settle_at };
}

/** The outcome of a part before the last one is unknown: those after it weren't sent as far as is known, so no handset can join them. */
function isCutOff({ error, segments, segments_sent }: SmsRow): boolean {
  return error?.code === "outcome_unknown" && segments_sent + 1 < segments;
}

/** It was delivered with the last part that arrived. A part may have arrived before the others were sent. */
function delivered({ sent_at }: SmsRow, arrived: readonly PartRow[], now: Date): SmsChange {
  const times = arrived.map(({ occurred_at, reported_at }) => (occurred_at ?? reported_at ?? now).getTime());
  return { status: "delivered", delivered_at: new Date(Math.max(sent_at?.getTime() ?? 0, ...times)), error: null };
}

/** A sent message's new values when it is due for a decision. */
export function classifySettling(row: SmsRow, parts: readonly PartRow[], now: Date): SmsChange | null {
  if (row.status !== "sent" || row.settle_at === null || row.settle_at > now) return null;
  const classified = classifyParts(row, parts, now);
  if (classified !== null) return classified;
  if (row.error?.code !== "outcome_unknown") return { settle_at: null };
  return row.expires_at <= now ? { status: "undelivered", error: errorOf("outcome_unknown") } : { settle_at: row.expires_at };
}
