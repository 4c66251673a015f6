import { expect, test } from "vitest";
import { readTierLimits } from "#messaging/index.ts";
import { messagingClass } from "./limit-rules.ts";

const minute = 60_000;
const hour = 3_600_000;

test.each([
  ["POST /v1/emails", "POST /v1/emails", "emails", minute],
  ["GET /v1/emails", "GET /v1/emails", "reads", minute],
  ["GET /v1/emails/:id", "GET /v1/emails/:id", "reads", minute],
  ["GET /v1/emails/:id/events", "GET /v1/emails/:id/events", "reads", minute],
  ["GET /v1/suppressions", "GET /v1/suppressions", "reads", minute],
  ["POST /v1/sms", "POST /v1/sms", "sms", minute],
  ["GET /v1/sms/:id", "GET /v1/sms/:id", "reads", minute],
  ["POST /v1/calls", "POST /v1/calls", "calls", minute],
  ["GET /v1/calls", "GET /v1/calls", "reads", minute],
  ["POST /v1/emails/batch", "POST /v1/emails/batch", "email_batches", hour],
  ["POST /v1/sms/batch", "POST /v1/sms/batch", "sms_batches", hour],
  ["POST /v1/domains", "changes of settings", "control", hour],
  ["DELETE /v1/domains/:id", "changes of settings", "control", hour],
  ["POST /v1/domains/:id/verify", "changes of settings", "control", hour],
  ["POST /v1/suppressions", "changes of settings", "control", hour],
  ["POST /v1/emails/:id/cancel", "all other endpoints", "general", minute],
  ["PATCH /v1/emails/:id", "all other endpoints", "general", minute],
  ["POST /v1/test/inbound", "all other endpoints", "general", minute],
  ["POST /v1/sms/estimate", "all other endpoints", "general", minute],
] as const)("%s counts as %s", (endpoint, scope, limit, windowMs) => {
  expect(messagingClass(endpoint)).toEqual({ scope, limit, windowMs });
});

test("the tiers are those of the interface, free a fifth of starter", () => {
  const { free, starter, pro, enterprise } = readTierLimits([]);
  expect([starter.emails, pro.emails, enterprise.emails]).toEqual([100, 1_000, 10_000]);
  expect([starter.reads, pro.reads, enterprise.reads]).toEqual([500, 2_000, 20_000]);
  expect([starter.sms, pro.sms, enterprise.sms, starter.calls, pro.calls, enterprise.calls]).toEqual([50, 500, 5_000, 10, 100, 1_000]);
  expect([free.general, starter.general, pro.general, free.burst, starter.burst, pro.burst]).toEqual([100, 500, 1_000, 20, 100, 200]);
  for (const name of Object.keys(free) as (keyof typeof free)[]) expect(free[name] * 5).toBe(starter[name]);
});

test("the operator changes single numbers", () => {
  const tiers = readTierLimits(["enterprise.general=25000", "enterprise.burst=4000", "free.emails=5"]);
  expect(tiers.enterprise).toMatchObject({ general: 25_000, burst: 4_000, emails: 10_000 });
  expect(tiers.free).toMatchObject({ emails: 5, reads: 100 });
  for (const wrong of ["gold.general=1", "free.nothing=1", "free.emails=0", "free.emails", "free.emails=-1", "toString.emails=1"]) {
    expect(() => readTierLimits([wrong])).toThrow("not a limit of a tier");
  }
});
