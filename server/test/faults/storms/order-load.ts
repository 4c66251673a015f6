import { setTimeout as sleep } from "node:timers/promises";
import type { TestTenant } from "#test/support/app/test-app.ts";

/** Who is called, in whose name, and what came of it. */
export interface OrderLoad {
  shops: TestTenant[];
  /** Where requests may go; those that are down may be among them. */
  origins(): string[];
  /** Every order whose payment was acknowledged. */
  paid: { order: string; shop: number }[];
}

const callers = 6;

/** Each caller creates an order and pays it, repeating the request with the same key until it is acknowledged. */
export function startOrderLoad(given: OrderLoad, ordersPerSecond?: number): { stop(): Promise<void> } {
  let running = true;
  const startedAt = performance.now();
  const apartMs = ordersPerSecond === undefined ? 0 : (callers * 1000) / ordersPerSecond;
  const one = async (caller: number) => {
    for (let n = 0; running; n += 1) {
      const shop = n % given.shops.length;
      const tenant = given.shops[shop] as TestTenant;
      const base = `/api/v1/projects/${tenant.project_id}/orders`;
      const made = await insist(given, tenant, { path: base, body: { amount_minor: 9900, currency: "CNY" }, key: `make-${caller}-${n}` });
      await insist(given, tenant, { path: `${base}/${made.id}/simulate-payment`, body: {}, key: `pay-${caller}-${n}` });
      given.paid.push({ order: made.id, shop });
      // If it's late, it catches up.
      await sleep(Math.max(20, startedAt + (n + 1) * apartMs - performance.now()));
    }
  };
  const all = Promise.all(Array.from({ length: callers }, (_, caller) => one(caller)));
  return {
    async stop() {
      running = false;
      await all;
    },
  };
}

async function insist(given: OrderLoad, tenant: TestTenant, call: { path: string; body: unknown; key: string }): Promise<{ id: string }> {
  const end = performance.now() + 240_000;
  let last = "";
  while (performance.now() < end) {
    const origins = given.origins();
    const origin = origins[Math.floor(Math.random() * origins.length)];
    const headers = { authorization: `Bearer ${tenant.key}`, "content-type": "application/json", "idempotency-key": call.key };
    const request = { method: "POST", headers, body: JSON.stringify(call.body), signal: AbortSignal.timeout(60_000) };
    const answer = await fetch(`${origin}${call.path}`, request).catch(() => null);
    const text = await answer?.text().catch(() => undefined);
    if (answer?.ok === true && text !== undefined) return JSON.parse(text) as { id: string };
    last = text ?? "no answer";
    await sleep(50);
  }
  throw new Error(`nobody acknowledged ${call.key}: ${last}`);
}
