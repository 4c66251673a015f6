import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { endpointAt, handOf, reportTo } from "#test/support/webhooks/webhook-world.ts";
import { countNotices, listDeliveryStates } from "#test/support/webhooks/webhooks.sql.ts";
import { tidyDeliveries, watchCallbacks } from "../index.ts";

const resolve = async () => [{ address: "127.0.0.1", family: 4 as const }];
const app = await testApp({ egress: await localEgress({ resolve }), startsAt: new Date().toISOString() });
const { ctx, clock } = app;
const hand = handOf(ctx);
const hour = 3_600_000;

test("callbacks to a host that is gone end after five days, and the merchant is notified once", async () => {
  const tenant = await app.tenant({ livemode: true });
  const [dead, shop] = [await receiver((_one, response) => response.writeHead(500).end()), await receiver()];
  const port = new URL(dead.url).port;
  await endpointAt(ctx, tenant, shop.url);
  await reportTo(ctx, tenant, ...Array.from({ length: 30 }, (_, n) => `https://host-${n % 2}.receiver.example:${port}/${n}`));
  const states = async () => {
    const rows = (await listDeliveryStates(ctx.db, tenant)).map((one) => one.state);
    return Object.fromEntries(["due", "failed", "succeeded"].map((state) => [state, rows.filter((one) => one === state).length]));
  };
  const reports: Record<string, number>[] = [];
  for (let passed = 0; passed < 119; passed += 7) {
    await hand.deliver();
    await watchCallbacks(ctx);
    reports.push(await countNotices(ctx.db));
    await tidyDeliveries(ctx);
    clock.advance(7 * hour);
  }
  expect(reports.slice(0, 4)).toEqual([{}, {}, {}, {}]);
  expect(reports.slice(4).every((count) => count["webhook.callbacks_failing"] === 1 && Object.keys(count).length === 1)).toBe(true);
  expect((await states()).due).toBe(30);
  clock.advance(3 * hour);
  while ((await tidyDeliveries(ctx)) > 0);
  expect(await states()).toEqual({ due: 0, failed: 30, succeeded: 30 });
});
