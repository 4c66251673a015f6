import type { CallEnd } from "#calls/index.ts";

/** The end of a call that never began. */
export function failed(code: string, message: string): CallEnd {
  return { status: "failed", sip_code: null, reason: null, hangup_by: null, error: { code, message } };
}

/** The end of a call that was answered. */
export function completed(by: CallEnd["hangup_by"], reason: string | null): CallEnd {
  return { status: "completed", sip_code: 200, reason, hangup_by: by, error: null };
}
