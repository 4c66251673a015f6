import { describe, expect, test } from "vitest";
import { classifyEnd, classifyRefusal } from "./classify-call.ts";

describe("a carrier's last report is one outcome", () => {
  test.each([
    ["busy", 486, "busy", null],
    ["no-answer", 487, "no_answer", null],
    ["canceled", null, "canceled", null],
    ["failed", 404, "failed", "invalid_number"],
    ["failed", 410, "failed", "invalid_number"],
    ["failed", 484, "failed", "invalid_number"],
    ["failed", 604, "failed", "invalid_number"],
    ["failed", 408, "failed", "trunk_unreachable"],
    ["failed", 503, "failed", "trunk_unreachable"],
    ["failed", 603, "failed", "rejected"],
    ["failed", 488, "failed", "media_rejected"],
    ["failed", 418, "failed", "carrier_rejected"],
    ["failed", null, "failed", "carrier_rejected"],
  ])("%s with SIP %s: %s %s", (status, sipCode, outcome, code) => {
    const end = classifyEnd({ status, sipCode, isAnswered: false, wanted: null, isAtLimit: false });
    expect([end.status, end.sip_code, end.error?.code ?? null]).toEqual([outcome, sipCode, code]);
  });

  test.each([
    ["by us", "caller", false, "caller"],
    ["by its limit", null, true, "limit"],
    ["by the callee", null, false, "callee"],
  ] as const)("an answered call is completed, ended %s", (_who, wanted, isAtLimit, hangup_by) => {
    const end = classifyEnd({ status: "completed", sipCode: null, isAnswered: true, wanted, isAtLimit });
    expect(end).toEqual({ status: "completed", sip_code: 200, reason: null, error: null, hangup_by });
  });
});

describe("a carrier's refusal to place a call ends it", () => {
  const message = "Its words.";
  const refused = (status: number, code: number | null) => ({ kind: "refused", status, code, message }) as const;
  const deferred = (status: number, code: number | null, isAccount = false) =>
    ({ kind: "deferred", status, code, message, retryAfterMs: null, isAccount }) as const;

  test.each([
    ["a number that can't be called", refused(400, 21211), "invalid_number"],
    ["a sender that it doesn't accept", refused(400, 21212), "carrier_rejected"],
    ["no code", refused(400, null), "carrier_rejected"],
    ["wrong credentials", deferred(401, 20003, true), "trunk_auth"],
    ["too many calls", deferred(429, 20429), "channels_busy"],
    ["a fault of its own", deferred(503, 20503), "trunk_unreachable"],
    ["no request that was accepted", { kind: "held" as const, reason: "no account is free" }, "trunk_unreachable"],
  ])("for %s", (_why, answer, code) => {
    expect(classifyRefusal(answer)).toMatchObject({ status: "failed", sip_code: null, hangup_by: null, error: { code } });
  });
});
