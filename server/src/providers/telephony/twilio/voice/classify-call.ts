import type { CallEnd } from "#calls/index.ts";
import type { Answer } from "../account/answer.ts";

type Classified = Pick<CallEnd, "status" | "error">;

const failed = (code: string, message: string): Classified => ({ status: "failed", error: { code, message } });
const invalid = failed("invalid_number", "The number doesn't exist or is incomplete.");
const unreachable = failed("trunk_unreachable", "The carrier couldn't reach the callee's network.");
const media = failed("media_rejected", "The callee's side supports none of the codecs the carrier offers.");

/** SIP responses that say more than that a call failed. */
const bySip: Readonly<Record<number, Classified>> = {
  404: invalid,
  410: invalid,
  484: invalid,
  488: media,
  603: failed("rejected", "The call was declined."),
  604: invalid,
  606: media,
};

/** The state of a call at its carrier. `ended` is final. */
export type CarrierStatus = "waiting" | "ringing" | "answered" | "ended";

const places: Readonly<Record<string, CarrierStatus>> = {
  queued: "waiting",
  initiated: "waiting",
  ringing: "ringing",
  "in-progress": "answered",
  answered: "answered",
  completed: "ended",
  busy: "ended",
  "no-answer": "ended",
  failed: "ended",
  canceled: "ended",
};

/** Returns null for an unknown word. */
export function placeOf(status: string): CarrierStatus | null {
  return places[status] ?? null;
}

interface Ended {
  status: string;
  sipCode: number | null;
  isAnswered: boolean;
  /** Who ended it from our side, if requested. */
  wanted: "caller" | "limit" | null;
  /** It reached its maximum duration. */
  isAtLimit: boolean;
}

/** Maps a carrier's final status to the end of a call. */
export function classifyEnd({ status, sipCode, isAnswered, wanted, isAtLimit }: Ended): CallEnd {
  const answered = { sip_code: sipCode, reason: null };
  if (isAnswered)
    return {
      ...answered,
      sip_code: sipCode ?? 200,
      status: "completed",
      error: null,
      hangup_by: wanted ?? (isAtLimit ? "limit" : "callee"),
    };
  if (status === "busy") return { ...answered, status: "busy", error: null, hangup_by: "callee" };
  if (status === "no-answer") return { ...answered, status: "no_answer", error: null, hangup_by: null };
  if (status === "canceled") return { ...answered, status: "canceled", error: null, hangup_by: wanted ?? "transport" };
  return { ...answered, ...classifyFailure(sipCode), hangup_by: null };
}

function classifyFailure(sipCode: number | null): Classified {
  const known = sipCode === null ? undefined : bySip[sipCode];
  if (known !== undefined) return known;
  if (sipCode !== null && (sipCode === 408 || sipCode >= 500)) return unreachable;
  return failed("carrier_rejected", `The carrier couldn't place the call${sipCode === null ? "" : `: SIP ${sipCode}`}.`);
}

/** Twilio's own numbers, which others adopted: a callee that can't be called. */
const invalidCodes: ReadonlySet<number> = new Set([13223, 13224, 21211, 21214, 21217, 21401, 21421]);
const busyCodes: ReadonlySet<number> = new Set([10004, 20429]);

/** Maps a carrier's refusal to place a call to the end of that call. */
export function classifyRefusal(answer: Exclude<Answer, { kind: "done" | "unknown" }>): CallEnd {
  const end = (judged: Classified): CallEnd => ({ ...judged, sip_code: null, reason: null, hangup_by: null });
  if (answer.kind === "held") return end(failed("trunk_unreachable", `The carrier accepted no request: ${answer.reason}.`));
  const { code, message, status } = answer;
  if (answer.kind === "deferred" && answer.isAccount) return end(failed("trunk_auth", "The carrier doesn't accept this server's account."));
  if (code !== null && invalidCodes.has(code)) return end(invalid);
  if (status === 429 || (code !== null && busyCodes.has(code)))
    return end(failed("channels_busy", "The carrier accepts no more calls right now."));
  if (answer.kind === "deferred") return end(failed("trunk_unreachable", `The carrier can't take calls right now: ${message}`));
  return end(failed("carrier_rejected", `${message}${code === null ? "" : ` (${code})`}`));
}

/** Whether the call was placed is unknown. */
export const unknownEnd: CallEnd = {
  status: "failed",
  sip_code: null,
  reason: null,
  hangup_by: null,
  error: { code: "outcome_unknown", message: "The carrier didn't confirm that it placed the call, and never reported on it." },
};

/** How a call ends that its carrier no longer has, so that no end will be reported. */
export const missingEnd: CallEnd = { ...unknownEnd, error: { code: "outcome_unknown", message: "The carrier no longer has the call." } };

/** How a call ends whose end its carrier never reported, although it must be over. */
export const unreportedEnd: CallEnd = {
  ...unknownEnd,
  error: { code: "outcome_unknown", message: "The carrier didn't report how the call ended." },
};

/** Whether the response to a request about a call or a recording is that there is none; a 404 without this code may be a proxy's. */
export function isMissing(answer: Answer): boolean {
  return "code" in answer && answer.status === 404 && answer.code === 20404;
}

/** Maps Twilio's AnsweredBy to the API's terms. */
export function answeredByOf(answeredBy: string | undefined): "human" | "machine" | "unknown" {
  if (answeredBy === "human") return "human";
  return answeredBy !== undefined && /^(machine_|fax)/.test(answeredBy) ? "machine" : "unknown";
}
