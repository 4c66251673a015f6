import { storable } from "#platform/index.ts";
import type { SmsOutcome } from "#sms/index.ts";
import type { Answer } from "../account/answer.ts";
import { wordOf } from "./words.ts";

/** The result of submitting a message. `rests`: pause the account, for as long as it asked for or else for a default time. */
export interface Classified {
  outcome: Stop | { result: "accepted"; id: string };
  rests: { durationMs: number | null } | null;
}

type Stop = SmsOutcome extends infer One
  ? One extends { result: "accepted" }
    ? never
    : One extends SmsOutcome
      ? Omit<One, "provider" | "sent">
      : never
  : never;

const ended: ReadonlySet<unknown> = new Set(["failed", "undelivered", "canceled"]);

/** Pure. A held message waits until `until`. */
export function classifySubmission(answer: Answer, until: Date): Classified {
  switch (answer.kind) {
    case "done":
      return { outcome: classifyMessage(answer.body), rests: null };
    case "held":
      return {
        outcome: { result: "held", until, reason: `the carrier accepted no request: ${answer.reason}` },
        rests: { durationMs: null },
      };
    case "unknown":
      return { outcome: { result: "unknown", message: `The carrier's response was lost: ${answer.reason}.` }, rests: null };
    case "refused":
      return { outcome: { result: "refused", code: wordOf(answer.code, "carrier_rejected"), ...errorFields(answer) }, rests: null };
    case "deferred": {
      const { code, isAccount, retryAfterMs: durationMs, status } = answer;
      const word = isAccount ? "provider_error" : wordOf(code, status === 429 ? "throttled" : "provider_error");
      const message = isAccount ? "The carrier doesn't accept this server's account." : answer.message;
      // A sender's full queue is no reason to pause the account.
      const rests = isAccount || status === 429 || status >= 500 ? { durationMs } : null;
      return { outcome: { result: "deferred", code: word, ...errorFields(answer), message, retry_after_ms: durationMs }, rests };
    }
  }
}

function classifyMessage({ sid, status, error_code, error_message }: Readonly<Record<string, unknown>>): Classified["outcome"] {
  if (typeof sid !== "string" || sid === "" || sid.length > 200)
    return { result: "unknown", message: "The carrier's response doesn't identify a message." };
  if (!ended.has(status)) return { result: "accepted", id: sid };
  const code = /^\d{5}$/.test(String(error_code)) ? Number(error_code) : null;
  const message =
    typeof error_message === "string" && error_message !== "" ? storable(error_message.slice(0, 300)) : "The carrier rejected the message.";
  return { result: "refused", code: wordOf(code, "carrier_rejected"), message, provider_code: spell(code) };
}

function errorFields({ message, code, status }: { message: string; code: number | null; status: number }) {
  return { message, provider_code: spell(code) ?? `HTTP ${status}` };
}

function spell(code: number | null): string | null {
  return code === null ? null : String(code);
}
