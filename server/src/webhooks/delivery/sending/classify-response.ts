import { type AnswerHead, type Exchange, storable } from "#platform/index.ts";
import type { ClaimedRow, Ending } from "./claim.sql.ts";
import { redactHeaders, redactText } from "./redact.ts";
import { readRetryAfter, waitAfter } from "./retry-policy.ts";

const maxBodyBytes = 8_192;
const maxHeaders = 40;
const maxHeaderLength = 500;

/**
 * What a response means for its delivery. Only 2xx is success. A failed manual attempt leaves the schedule unchanged; a failed automatic
 * one moves it to the next step, or ends it.
 */
export function classifyResponse(claimed: Omit<ClaimedRow, "body">, exchange: Exchange, given: Given): Ending {
  const succeeded = exchange.status !== null && exchange.status >= 200 && exchange.status < 300;
  const { project_id, livemode, endpoint_id, event_id, attempt_id, lease, back_to } = claimed;
  const key = { project_id, livemode, endpoint_id, event_id, attempt_id, lease };
  const { sent_at, signatures, ...timing } = given;
  const next = nextOf(claimed, { succeeded, exchange, back_to, ...timing });
  return { ...key, sent_at, ...next, ...shown(exchange, signatures), status: succeeded ? "succeeded" : "failed" };
}

interface Given {
  now: Date;
  sent_at: Date;
  /** The request's signatures: a response that echoes them is stored without them. */
  signatures: string[];
  random?: () => number;
}

interface Classified {
  succeeded: boolean;
  exchange: Exchange;
  back_to: Ending["state"] | null;
  now: Date;
  random?: () => number;
}

function nextOf(
  claimed: Omit<ClaimedRow, "body">,
  { succeeded, exchange, back_to, now, random }: Classified,
): Pick<Ending, "state" | "step" | "wait_ms"> {
  const { step, livemode } = claimed;
  if (succeeded) return { state: "succeeded", step, wait_ms: null };
  if (back_to !== null) return { state: back_to, step, wait_ms: null };
  const retryAfterMs = exchange.status === null ? null : readRetryAfter(exchange.headers["retry-after"], now);
  const waitMs = exchange.status === 410 ? null : waitAfter(step, { livemode, retryAfterMs, ...(random === undefined ? {} : { random }) });
  if (waitMs === null) return { state: "failed", step: step + 1, wait_ms: null };
  return { state: "due", step: step + 1, wait_ms: waitMs };
}

/** The stored part of a response: its first bytes as text, without secrets and without characters that text columns reject. */
function shown(
  exchange: Exchange,
  signatures: string[],
): Pick<Ending, "response_status" | "response_headers" | "response_body" | "response_truncated" | "error_code" | "duration_ms"> {
  const { duration_ms } = exchange;
  if (exchange.status === null && exchange.head === null) {
    return {
      response_status: null,
      response_headers: null,
      response_body: null,
      response_truncated: null,
      error_code: exchange.error_code,
      duration_ms,
    };
  }
  if (exchange.status === null) {
    const { status, headers } = exchange.head as AnswerHead;
    const response_headers = storedHeaders(headers, signatures);
    return {
      response_status: status,
      response_headers,
      response_body: "",
      response_truncated: true,
      error_code: exchange.error_code,
      duration_ms,
    };
  }
  const { status, headers, body, truncated } = exchange;
  return {
    response_status: status,
    response_headers: storedHeaders(headers, signatures),
    response_body: redactText(storable(body.subarray(0, maxBodyBytes).toString("utf8")), signatures),
    response_truncated: truncated || body.length > maxBodyBytes,
    error_code: status >= 200 && status < 300 ? null : "http_error",
    duration_ms,
  };
}

function storedHeaders(headers: Record<string, string>, signatures: string[]): Record<string, string> {
  const few = Object.entries(headers).slice(0, maxHeaders);
  const redacted = redactHeaders(
    Object.fromEntries(few.map(([name, value]) => [name, storable(value.slice(0, maxHeaderLength * 2))])),
    signatures,
  );
  return Object.fromEntries(Object.entries(redacted).map(([name, value]) => [name, storable(value.slice(0, maxHeaderLength))]));
}
