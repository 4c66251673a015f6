import { afterAll, expect, test } from "vitest";
import { migrate } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { startHaproxy } from "#test/support/debian/database-poolers.ts";
import { faultsOfLoad, startShopLoad } from "#test/support/load/shop-load.ts";
import { newEmail } from "#test/support/mail/mail.ts";
import { type ApiProcess, startApi } from "#test/support/programs/api-processes.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { startPair } from "./streaming-pair.ts";

const pair = await startPair();
afterAll(() => pair.stop());
await migrate(pair.primaryUrl(), new URL("../../../migrations/", import.meta.url));
const app = await testApp({ own: { url: pair.url, drop: async () => {} } });
// The programs use the machine's clock.
app.clock.run();
const shop = await app.tenant();
const orders = `/api/v1/projects/${shop.project_id}/orders`;
const quiet = { LOG_LEVEL: "fatal" };

async function ask(api: ApiProcess, path: string, given: { body?: object; key?: string } = {}) {
  const answer = await fetch(`${api.url}${path}`, {
    method: given.body === undefined ? "GET" : "POST",
    headers: {
      authorization: `Bearer ${shop.key}`,
      "content-type": "application/json",
      ...(given.key === undefined ? {} : { "idempotency-key": given.key }),
    },
    ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
  });
  const body = (await answer.json()) as { id: string; status: string; data: unknown[] };
  return { status: answer.status, retryAfter: answer.headers.get("retry-after"), body };
}

/** Writing requests, each with a key: in groups, in a separate transaction, and in another room. */
async function operations(api: ApiProcess, mark: string): Promise<[path: string, given: { body: object; key: string }][]> {
  const unpaid = async (name: string) =>
    (await ask(api, orders, { body: { amount_minor: 8_800, currency: "CNY", reference: `${mark}-${name}` } })).body.id;
  const [toPay, toCancel] = [await unpaid("to-pay"), await unpaid("to-cancel")];
  const body = { amount_minor: 8_800, currency: "CNY", reference: `${mark}-new` };
  return [
    [orders, { body, key: `${mark}-make` }],
    [`${orders}/${toPay}/simulate-payment`, { body: { outcome: "paid" }, key: `${mark}-pay` }],
    [`${orders}/${toCancel}/cancel`, { body: {}, key: `${mark}-cancel` }],
    ["/v1/emails", { body: newEmail(), key: `${mark}-mail` }],
  ];
}

const lines = (answers: { status: number; retryAfter: string | null }[]) =>
  answers.map(({ status, retryAfter }) => `${status} ${retryAfter}`);

test("a process that is connected to a standby reads, returns 503 for what it may not write, and isn't ready", async () => {
  const balancer = await startHaproxy({ primary: pair.primaryUrl(), standby: pair.otherUrl() });
  await balancer.maintain("standby", true);
  const api = await startApi(balancer.url, quiet);
  try {
    const requests = await operations(api, "led");
    await balancer.maintain("standby", false);
    await balancer.maintain("primary", true);
    const onStandby = async () => (await ask(api, orders)).status === 200 && (await ask(api, "/readyz")).status === 503;
    await eventually("reads come from the standby", onStandby, { everyMs: 50 });
    expect(lines(await Promise.all(requests.map(([path, given]) => ask(api, path, given))))).toEqual(Array(requests.length).fill("503 1"));
    await balancer.maintain("primary", false);
    await balancer.maintain("standby", true);
    for (const [path, given] of requests)
      await eventually(`${path} is done`, async () => (await ask(api, path, given)).status < 300, { everyMs: 50 });
    expect((await ask(api, "/readyz")).status).toBe(200);
  } finally {
    await api.stop();
    await balancer.stop();
  }
});

test("while no standby confirms commits, nothing is acknowledged; afterwards the same keys find out the outcome", async () => {
  const api = await startApi(pair.url, quiet);
  const load = startShopLoad({ ports: [Number(new URL(api.url).port)], project_id: shop.project_id, key: shop.key, cancels: true });
  try {
    const requests = await operations(api, "held");
    await load.more(30);
    await pair.killStandby();
    const held = Promise.all(requests.map(([path, given]) => ask(api, path, given)));
    let isHeld = true;
    void held.finally(() => {
      isHeld = false;
    });
    const reads = new Set<number>();
    while (isHeld) reads.add((await ask(api, orders)).status);
    expect(lines(await held)).toEqual(Array(requests.length).fill("503 1"));
    // A read may find every connection waiting for its commit.
    expect([...reads].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    const before = load.acknowledged.size;
    await pair.startStandby();
    await load.more(30);
    expect(load.acknowledged.size).toBeGreaterThanOrEqual(before + 30);
    for (const [path, given] of requests)
      await eventually(`${path} is done`, async () => (await ask(api, path, given)).status < 300, { everyMs: 50 });
    await load.stop();
    expect(load.unexpectedAnswers).toEqual([]);
    expect(await faultsOfLoad(app.ctx.db, shop, load)).toEqual([]);
  } finally {
    load.halt();
    await api.stop();
  }
});
