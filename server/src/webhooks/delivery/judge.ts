import type { Exchange } from "#platform/index.ts";
import { readRetryAfter, waitAfter } from "./schedule.ts";
import type { ClaimedRow, Ending } from "./sending/claim.sql.ts";

const keptBytes = 8_192;
const keptHeaders = 40;
const keptHeaderLength = 500;

/**
 * What an exchange means for its delivery. Only 2xx is success. A failed attempt made by hand leaves the schedule as it was; a failed automatic
 * one takes the next step of it, or ends it.
 */
export function judge(claimed: Omit<ClaimedRow, "body">, exchange: Exchange, given: { now: Date; random?: () => number }): Ending {
  const succeeded = exchange.status !== null && exchange.status >= 200 && exchange.status < 300;
  const { project_id, livemode, endpoint_id, event_id, attempt_id, lease, back_to } = claimed;
  const key = { project_id, livemode, endpoint_id, event_id, attempt_id, lease };
  return { ...key, ...nextOf(claimed, { succeeded, exchange, back_to, ...given }), ...shown(exchange), status: succeeded ? "succeeded" : "failed" };
}

interface Judged {
  succeeded: boolean;
  exchange: Exchange;
  back_to: string | null;
  now: Date;
  random?: () => number;
}

function nextOf(
  claimed: Omit<ClaimedRow, "body">,
  { succeeded, exchange, back_to, now, random }: Judged,
): Pick<Ending, "state" | "step" | "due_at" | "next_attempt_at"> {
  const { step, livemode } = claimed;
  if (succeeded) return { state: "succeeded", step, due_at: null, next_attempt_at: null };
  if (back_to !== null) return { state: back_to as Ending["state"], step, due_at: null, next_attempt_at: null };
  const retryAfterMs = exchange.status === null ? null : readRetryAfter(exchange.headers["retry-after"], now);
  const waitMs = exchange.status === 410 ? null : waitAfter(step, { livemode, retryAfterMs, ...(random === undefined ? {} : { random }) });
  if (waitMs === null) return { state: "failed", step: step + 1, due_at: null, next_attempt_at: null };
  const due_at = new Date(now.getTime() + waitMs);
  return { state: "due", step: step + 1, due_at, next_attempt_at: due_at };
}

/** The part of an answer that is kept: its first bytes as text, without the characters that text columns refuse. */
function shown(
  exchange: Exchange,
): Pick<Ending, "response_status" | "response_headers" | "response_body" | "response_truncated" | "error_code" | "duration_ms"> {
  const { duration_ms } = exchange;
  if (exchange.status === null) {
    return { response_status: null, response_headers: null, response_body: null, response_truncated: null, error_code: exchange.error_code, duration_ms };
  }
  const { status, headers, body, truncated } = exchange;
  const few = Object.entries(headers).slice(0, keptHeaders);
  return {
    response_status: status,
    response_headers: Object.fromEntries(few.map(([name, value]) => [name, clean(value.slice(0, keptHeaderLength))])),
    response_body: clean(body.subarray(0, keptBytes).toString("utf8")),
    response_truncated: truncated || body.length > keptBytes,
    error_code: status >= 200 && status < 300 ? null : "http_error",
    duration_ms,
  };
}

function clean(text: string): string {
  return text.replaceAll("\u0000", "\ufffd").toWellFormed();
}
