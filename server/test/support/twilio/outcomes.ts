import { expect } from "vitest";
import { ring, type VoiceWorld } from "./voice-world.ts";

/** What a carrier reports last about a call that rings, and how the call ends. */
interface Outcome {
  reported: string;
  more: Record<string, string>;
  status: string;
  sip_code: number | null;
  code: string | null;
  /** Those after `queued`. */
  events: string;
}

/** Every status that a carrier reports last. */
export const outcomes: readonly Outcome[] = [
  { reported: "busy", more: { SipResponseCode: "486" }, status: "busy", sip_code: 486, code: null, events: "initiated ringing busy" },
  {
    reported: "failed",
    more: { SipResponseCode: "404" },
    status: "failed",
    sip_code: 404,
    code: "invalid_number",
    events: "initiated ringing failed",
  },
  {
    reported: "completed",
    more: { CallDuration: "7", SipResponseCode: "200" },
    status: "completed",
    sip_code: 200,
    code: null,
    events: "initiated ringing in_progress completed",
  },
  {
    reported: "no-answer",
    more: { SipResponseCode: "487" },
    status: "no_answer",
    sip_code: 487,
    code: null,
    events: "initiated ringing no_answer",
  },
  { reported: "canceled", more: {}, status: "canceled", sip_code: null, code: null, events: "initiated ringing canceled" },
  {
    reported: "failed",
    more: { SipResponseCode: "503" },
    status: "failed",
    sip_code: 503,
    code: "trunk_unreachable",
    events: "initiated ringing failed",
  },
  {
    reported: "failed",
    more: { SipResponseCode: "603" },
    status: "failed",
    sip_code: 603,
    code: "rejected",
    events: "initiated ringing failed",
  },
  { reported: "failed", more: {}, status: "failed", sip_code: null, code: "carrier_rejected", events: "initiated ringing failed" },
];

/** A call whose carrier reports this last. */
export async function expectOutcome({ happen }: VoiceWorld, { reported, more, status, sip_code, code, events }: Outcome): Promise<void> {
  const given = await happen({ text: "Hello." }, { become: async (call, at) => ring(call, at).then(() => at.end(call, reported, more)) });
  expect(given.call).toMatchObject({ status, sip_code, duration: status === "completed" ? 7 : null });
  expect(given.call.error?.code ?? null).toBe(code);
  expect(given.events).toEqual(["queued", ...events.split(" ")]);
}

/** How a carrier refuses to place a call, and the code of the call's error. */
interface Refused {
  refusal: { status: number; code: number };
  code: string;
}

export const refusedCalls: readonly Refused[] = [
  { refusal: { status: 400, code: 21211 }, code: "invalid_number" },
  { refusal: { status: 401, code: 20003 }, code: "trunk_auth" },
  { refusal: { status: 400, code: 21212 }, code: "carrier_rejected" },
  { refusal: { status: 429, code: 20429 }, code: "channels_busy" },
  { refusal: { status: 503, code: 20503 }, code: "trunk_unreachable" },
];

/** A call that its only carrier refuses, and that isn't tried again. */
export async function expectRefused({ carrier, happen }: VoiceWorld, { refusal, code }: Refused): Promise<void> {
  const { call, events } = await happen({ text: "Hello." }, { create: () => refusal });
  expect([call.status, call.error.code, events]).toEqual(["failed", code, ["queued", "initiated", "failed"]]);
  expect(carrier.requests).toEqual(["POST /Calls.json"]);
}
