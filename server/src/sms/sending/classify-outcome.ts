import type { SmsChange } from "../change/change-sms.ts";
import { errorOf } from "../error-words.ts";
import type { SmsRow } from "../shapes.ts";
import type { SmsOutcome } from "../transport.ts";
import { retryWait } from "./retry-policy.ts";

interface Classifying {
  row: SmsRow;
  outcome: SmsOutcome;
  now: Date;
  random?: (() => number) | undefined;
}

/** A message's new values after an outcome. */
export function classifyOutcome({ row, outcome, now, random }: Classifying): SmsChange {
  const segments_sent = Math.min(row.segments, Math.max(row.segments_sent, ...outcome.sent.map(({ index }) => index + 1)));
  const same = { provider: outcome.provider, segments_sent };
  switch (outcome.result) {
    case "accepted":
      return { ...same, deaths: 0, status: "sent", state: "done", segments_sent: row.segments, sent_at: now, error: null };
    case "refused": {
      const { code, message, provider_code } = outcome;
      return { ...same, deaths: 0, status: "failed", state: "done", error: errorOf(code, { message, provider_code }) };
    }
    case "held":
      return { ...requeue(row), segments_sent, due_at: earlier(outcome.until, row.expires_at) };
    case "unknown":
      return { ...same, deaths: 0, ...doubt(row, now) };
    case "deferred": {
      const { code, message, provider_code, retry_after_ms: requestedMs } = outcome;
      const due_at = new Date(now.getTime() + retryWait(row.attempts, { requestedMs, livemode: row.livemode, random }));
      if (due_at >= row.expires_at)
        return { ...same, deaths: 0, status: "failed", state: "done", error: errorOf("expired", { provider_code }) };
      return { ...same, deaths: 0, status: "queued", state: "waiting", due_at, error: errorOf(code, { message, provider_code }) };
    }
  }
}

/** The state before the claim: nothing was attempted. */
export function requeue(row: SmsRow): SmsChange {
  return { status: "queued", state: "waiting", attempts: row.attempts - 1 };
}

/** It is unknown whether a carrier has it. It isn't sent again; a report, or the end of its validity, decides. */
export function doubt(row: SmsRow, now: Date): SmsChange {
  return { status: "sent", state: "done", sent_at: now, settle_at: row.expires_at, error: errorOf("outcome_unknown") };
}

function earlier(left: Date, right: Date): Date {
  return left < right ? left : right;
}
