import type { CallEnd } from "#calls/index.ts";
import type { SipResponse } from "../wire/message.ts";

/** The end of a call that never began. */
export function failed(code: string, message: string): CallEnd {
  return { status: "failed", sip_code: null, reason: null, hangup_by: null, error: { code, message } };
}

/** The end of a call that we abandoned before it was answered; null: because it rang too long. */
export function abandoned(by: "caller" | "limit" | null, response: SipResponse | null): CallEnd {
  const status = by === null ? "no_answer" : "canceled";
  return { status, sip_code: response?.status ?? null, reason: response?.reason ?? null, hangup_by: by, error: null };
}

/** The end of a call that was answered. */
export function completed(by: CallEnd["hangup_by"], reason: string | null): CallEnd {
  return { status: "completed", sip_code: 200, reason, hangup_by: by, error: null };
}
