import { describe, expect, test } from "vitest";
import { callQueue } from "#calls/channel/tables.sql.ts";
import { emailQueue } from "#email/channel/tables.sql.ts";
import { noticeQueue } from "#platform/index.ts";
import { lockExpired } from "#platform/queue/lease.sql.ts";
import { listNamedPayments, listNamedRefunds, listUnlistedPayments } from "#reconciliation/compare/sql.ts";
import { smsQueue } from "#sms/channel/tables.sql.ts";
import { deliveryQueue } from "#webhooks/delivery/sending/claim.sql.ts";
import { fullQueues, timedStatements } from "./claims.ts";
import { insertExpired, insertSettled, plansOf } from "./plans.sql.ts";

// In this order on the same rows, because filling all queues takes longer than reading the plans.
const { client, tenant } = await fullQueues(6_000);

describe.each(timedStatements(tenant))("$name", ({ index, run }) => {
  test("are read by their index, with the clock written in place of its call", async () => {
    const [plan] = await plansOf(client, run);
    expect(plan?.indexes).toContain(index);
    expect(plan?.text).toContain("date_trunc('milliseconds'::text, statement_timestamp())");
    expect(plan?.text).not.toContain("app_now");
  });
});

test.each(timedStatements(tenant).filter(({ index }) => index === "calls_next"))(
  "$name are read in the order of their index, so that those due at the same time have one",
  async ({ run }) => {
    const [plan] = await plansOf(client, run);
    expect(plan?.text).not.toContain("Presorted Key");
  },
);

test.each([
  ["emails", emailQueue, "email_recipients", ""],
  ["calls", callQueue, "calls", ""],
  ["SMS", smsQueue, "sms", "status = 'sending', "],
  ["deliveries", deliveryQueue, "webhook_deliveries", ""],
  ["notices", noticeQueue, "notices", ""],
] as const)(
  "jobs with a record that lapse, %s: what their workers still hold is read once, and not for each of them",
  async (_name, queue, table, also) => {
    const jobs = 1_000;
    await insertExpired(client, { table, also }, jobs);
    const [plan] = await plansOf(client, (tx) => lockExpired(tx, queue, { limit: 2 * jobs, columns: (tag) => tag`` }));
    // Each of those is read and locked; the leases of the living worker are read as well.
    expect(plan?.rows).toBe(jobs);
    expect(plan?.blocks).toBeLessThan(10 * jobs);
  },
);

test("what a provider's list is compared with is read by indexes, whoever else has payments", async () => {
  const account = { ...tenant, credential_id: "gc_1" };
  const span = { from: new Date("2026-01-01T00:00:00Z"), until: new Date("2027-01-01T00:00:00Z"), limit: 200 };
  await insertSettled(client, tenant);
  const references = Array.from({ length: 200 }, (_, n) => `ps_${n + 1}`);
  const [named] = await plansOf(client, (tx) => listNamedPayments(tx, account, { references, ids: ["cap_1"] }));
  expect(named?.indexes).toContain("gateway_payments_by_provider");
  expect(named?.text).not.toContain("Seq Scan");
  const [refunds] = await plansOf(client, (tx) => listNamedRefunds(tx, account, { references: ["rf_1"], ids: ["re_1"] }));
  expect(refunds?.indexes).toContain("refunds_by_gateway_refund");
  const [unlisted] = await plansOf(client, (tx) => listUnlistedPayments(tx, account, span));
  expect(unlisted?.indexes).toContain("gateway_payments_unlisted");
  expect(unlisted?.rows).toBe(5);
});
