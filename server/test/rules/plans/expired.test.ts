import { expect, test } from "vitest";
import { callQueue } from "#calls/channel/tables.sql.ts";
import { emailQueue } from "#email/channel/tables.sql.ts";
import { noticeQueue } from "#platform/index.ts";
import { lockExpired } from "#platform/queue/lease.sql.ts";
import { smsQueue } from "#sms/channel/tables.sql.ts";
import { deliveryQueue } from "#webhooks/delivery/sending/claim.sql.ts";
import { fullQueues } from "./claims.ts";
import { insertExpired, plansOf } from "./plans.sql.ts";

const { client } = await fullQueues(4_000);

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
