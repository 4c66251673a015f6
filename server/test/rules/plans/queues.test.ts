import { expect, test } from "vitest";
import { listQueues } from "#http/dashboard/sql.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { onClient, plansOf } from "./plans.sql.ts";

const app = await testApp();
const ended = 6_000;
const old = "(select app_now()) - interval '20 days'";
const at = (n: number) => `case when n <= ${n} then (select app_now()) - interval '1 hour' else ${old} end`;

test("the lengths of the queues are read by indexes, however many messages and deliveries ended long ago", async () => {
  const { project_id } = await app.tenant();
  await onClient(app.superuserUrl, async (client) => {
    await client.query("set session_replication_role = replica");
    const insert = (table: string, columns: string, values: string) =>
      client.query(
        `insert into ${table} (project_id, livemode, ${columns}, created_at, updated_at) select $1, true, ${values}
          from generate_series(1, ${ended}) n`,
        [project_id],
      );
    await insert(
      "emails",
      "id, status, from_address, from_text, addressees, subject, category, message_id, size_bytes, recipients, expires_at",
      `'em_' || n, case when n % 3 = 0 then 'failed' else 'delivered' end, 'a@b.example', 'a@b.example', '[]', 'Hi', 'transactional', n, 100, 1, ${old}, ${old}, ${at(6)}`,
    );
    await insert(
      "webhook_deliveries",
      "endpoint_id, event_id, sequence, state, due_at",
      `'we_1', 'evt_' || n, n, case when n % 3 = 0 then 'failed' else 'succeeded' end, ${old}, ${old}, ${at(9)}`,
    );
    await insert(
      "sms",
      "id, direction, status, sender, sender_kind, recipient, country, encoding, segments, state, due_at, expires_at",
      `'sms_' || n, 'outbound', case when n % 3 = 0 then 'failed' else 'delivered' end, '+1', 'number', '+' || n, 'US', 'GSM-7', 1, 'done', ${old}, ${old}, ${old}, ${at(3)}`,
    );
    await insert(
      "calls",
      "id, status, from_number, to_number, country, speed, ring_s, limit_s, state, due_at, expires_at",
      `'call_' || n, case when n % 3 = 0 then 'failed' else 'completed' end, '+1', '+' || n, 'US', 1, 30, 600, 'done', ${old}, ${old}, ${old}, ${at(12)}`,
    );
    await client.query("vacuum analyze emails, webhook_deliveries, sms, calls");
    const [plan] = await plansOf(client, listQueues);
    expect(plan?.blocks).toBeLessThan(100);
    for (const index of ["emails_open", "emails_failed", "webhook_deliveries_failed", "sms_failed", "calls_failed"])
      expect(plan?.indexes).toContain(index);
  });
  const dead = Object.fromEntries((await listQueues(app.ctx.db)).map((queue) => [queue.name, queue.dead]));
  expect(dead).toMatchObject({ emails: 2, webhook_deliveries: 3, sms: 1, calls: 4 });
});
