import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { endpointAt, handOf, reportTo } from "#test/support/webhooks/webhook-world.ts";
import { listDeliveryStates, listEndpointIds } from "#test/support/webhooks/webhooks.sql.ts";
import { listEndpoints, removeEndpoint, tidyDeliveries } from "../index.ts";

const app = await testApp({ egress: await localEgress(), startsAt: new Date().toISOString() });
const { ctx, clock } = app;
const hand = handOf(ctx);
const day = 86_400_000;
const tidy = async () => {
  while ((await tidyDeliveries(ctx)) > 0);
};

test("receivers of callbacks and deleted endpoints are deleted with the last of their history, and not before", async () => {
  const tenant = await app.tenant();
  const shop = await receiver();
  const [kept, deleted] = [await endpointAt(ctx, tenant, shop.url), await endpointAt(ctx, tenant, shop.url)];
  await reportTo(ctx, tenant, `${shop.url}/one`);
  await hand.deliver();
  await removeEndpoint(ctx, tenant, deleted.id);
  clock.advance(34 * day);
  await tidy();
  expect(await listEndpointIds(ctx.db, tenant)).toHaveLength(3);
  clock.advance(2 * day);
  await tidy();
  expect(await listDeliveryStates(ctx.db, tenant)).toEqual([]);
  expect(await listEndpointIds(ctx.db, tenant)).toEqual([kept.id]);
  expect((await listEndpoints(ctx, tenant)).map((one) => one.id)).toEqual([kept.id]);
  await reportTo(ctx, tenant, `${shop.url}/two`);
  await hand.deliver();
  expect(shop.received.map((one) => one.path)).toContain("/two");
});
