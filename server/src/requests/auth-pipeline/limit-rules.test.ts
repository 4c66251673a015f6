import { expect, test } from "vitest";
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
  ["POST /v1/numbers", "changes of settings", "control", hour],
  ["DELETE /v1/numbers/:id", "changes of settings", "control", hour],
  ["POST /v1/emails/:id/cancel", "all other endpoints", "general", minute],
  ["PATCH /v1/emails/:id", "all other endpoints", "general", minute],
  ["POST /v1/test/inbound", "all other endpoints", "general", minute],
  ["POST /v1/sms/estimate", "all other endpoints", "general", minute],
] as const)("%s counts as %s", (endpoint, scope, limit, windowMs) => {
  expect(messagingClass(endpoint)).toEqual({ scope, limit, windowMs });
});
