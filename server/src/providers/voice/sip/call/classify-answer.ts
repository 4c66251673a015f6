import type { CallEnd } from "#calls/index.ts";
import type { SipRequest, SipResponse } from "../wire/message.ts";
import { parseParams } from "../wire/scan.ts";

export interface HeaderReason {
  /** Q.850 cause, or null. */
  cause: number | null;
  text: string | null;
}

/** The Reason headers of a message (RFC 3326): the telephone network's cause, and the text. */
export function readReason(message: SipRequest | SipResponse): HeaderReason {
  let reason: HeaderReason = { cause: null, text: null };
  for (const value of message.headers.listOf("reason")) {
    const [protocol = "", ...rest] = value.split(";");
    const params = parseParams(rest.join(";"));
    const cause = /^\d{1,3}$/.test(params.get("cause") ?? "") ? Number(params.get("cause")) : null;
    const isNetwork = protocol.trim().toUpperCase() === "Q.850";
    if (isNetwork || reason.text === null)
      reason = { cause: isNetwork ? cause : reason.cause, text: params.get("text")?.slice(0, 200) ?? reason.text };
  }
  return reason;
}

type Outcome = Pick<CallEnd, "status" | "error">;

const failed = (code: string, message: string): Outcome => ({ status: "failed", error: { code, message } });
const busy: Outcome = { status: "busy", error: null };
const noAnswer: Outcome = { status: "no_answer", error: null };
const invalid = failed("invalid_number", "The number doesn't exist or is incomplete.");
const auth = failed("trunk_auth", "The trunk refused the call. Check its user, password and whether it's allowed to call this number.");
const unreachable = failed("trunk_unreachable", "The trunk can't take calls right now.");

/** A trunk's responses that determine the outcome whatever the network's cause. */
const byStatus: Readonly<Record<number, Outcome>> = {
  401: auth,
  403: auth,
  404: invalid,
  407: auth,
  408: noAnswer,
  410: invalid,
  480: noAnswer,
  484: invalid,
  486: busy,
  487: noAnswer,
  488: failed("media_rejected", "The trunk supports neither PCMU nor PCMA."),
  600: busy,
  603: failed("rejected", "The call was declined."),
  604: invalid,
  606: failed("media_rejected", "The trunk supports neither PCMU nor PCMA."),
};

/** Causes of Q.850 that are more specific than a general response. */
const byCause: Readonly<Record<number, Outcome>> = {
  1: invalid,
  17: busy,
  18: noAnswer,
  19: noAnswer,
  21: failed("rejected", "The call was declined."),
  28: invalid,
};

/** Responses whose outcome depends on the network's cause. */
const general = new Set([480, 487]);

/** Maps a final response of 300 or above to our INVITE to the end of a call. */
export function classifyAnswer(response: SipResponse): CallEnd {
  const reason = readReason(response);
  const cause = reason.cause === null ? undefined : byCause[reason.cause];
  const known = byStatus[response.status];
  const outcome =
    (known === undefined || general.has(response.status) ? cause : undefined) ??
    known ??
    (response.status >= 500 && response.status < 600 ? unreachable : failed("carrier_rejected", `The trunk returned ${response.status}.`));
  return { ...outcome, sip_code: response.status, reason: reasonText(response.reason, reason), hangup_by: null };
}

/** The peer's own text for people, limited in length. */
export function reasonText(words: string, { cause, text }: HeaderReason): string | null {
  const parts = [words.trim().slice(0, 200), ...(cause === null ? [] : [`Q.850 cause ${cause}`]), ...(text === null ? [] : [text])];
  return parts.filter((part) => part !== "").join("; ") || null;
}

/** Whether another trunk may still carry the call: this one refused before anything rang, for its own reasons. */
export function mayTryElsewhere(status: number): boolean {
  return status === 401 || status === 403 || status === 407 || status === 488 || (status >= 500 && status < 600);
}
