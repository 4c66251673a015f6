import { afterAll, expect, test } from "vitest";
import { auditLedger } from "#ledger/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { startHaproxy, startPgBouncer } from "#test/support/debian/database-poolers.ts";
import { startApi } from "#test/support/programs/api-processes.ts";
import { eventually } from "#test/support/time/eventually.ts";

const app = await testApp();
const tenant = await app.tenant();
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

async function ask(
  at: string,
  path: string,
  body?: object,
): Promise<{ status: number; retryAfter: string | null; body: Record<string, never> }> {
  const answer = await fetch(`${at}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${tenant.key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, retryAfter: answer.headers.get("retry-after"), body: (await answer.json()) as Record<string, never> };
}

test("through PgBouncer, which gives each transaction another connection, orders are created, paid and listed, forty concurrently", async () => {
  const bouncer = await startPgBouncer(app.url);
  closing.push(bouncer.stop);
  const api = await startApi(bouncer.url, { DATABASE_PREPARE: "off" });
  closing.push(api.stop);
  const orders = `/api/v1/projects/${tenant.project_id}/orders`;
  let next = 0;
  const made: string[] = [];
  const shop = async () => {
    for (let index = (next += 1); index <= 400; index = next += 1) {
      const order = await ask(api.url, orders, { reference: `POOL-${index}`, amount_minor: 1_000 + index, currency: "CNY" });
      const paid = order.status === 201 ? await ask(api.url, `${orders}/${order.body["id"]}/simulate-payment`, { outcome: "paid" }) : order;
      made.push(`${paid.status} ${paid.body["status"] ?? JSON.stringify(paid.body)}`);
    }
  };
  await Promise.all(Array.from({ length: 40 }, shop));
  expect(new Set(made)).toEqual(new Set(["200 paid"]));
  expect((await ask(api.url, `${orders}?limit=1&include=total_count&status=paid`)).body["total_count"]).toBe(400);
  expect((await auditLedger(app.ctx)).faults).toEqual([]);
});

test("behind a HAProxy whose only server is in maintenance every request gets 503, and is served again once it returns", async () => {
  const balancer = await startHaproxy({ only: app.url });
  closing.push(balancer.stop);
  const api = await startApi(balancer.url, { LOG_LEVEL: "fatal" });
  closing.push(api.stop);
  const list = `/api/v1/projects/${tenant.project_id}/orders`;
  expect((await ask(api.url, list)).status).toBe(200);
  await balancer.maintain("only", true);
  const meanwhile = await Promise.all(Array.from({ length: 50 }, (_none, index) => ask(api.url, index % 5 === 0 ? "/readyz" : list)));
  expect(new Set(meanwhile.map(({ status, retryAfter }) => `${status} ${retryAfter}`))).toEqual(new Set(["503 1"]));
  expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
  await balancer.maintain("only", false);
  await eventually("requests are served again", async () => (await ask(api.url, list)).status === 200);
});
