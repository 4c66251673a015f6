import { describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { backlogCount, backlogsIn } from "#test/support/webhooks/backlogs.ts";
import { emitSome, handOf } from "#test/support/webhooks/webhook-world.ts";
import { changeEndpoint, tidyDeliveries } from "../index.ts";

const app = await testApp({ egress: await localEgress(), startsAt: new Date().toISOString() });
const { ctx, clock } = app;
const hand = handOf(ctx);
const backlog = backlogsIn(app);
const tidy = async () => {
  while ((await tidyDeliveries(ctx)) > 0);
};

describe("an endpoint with more pending deliveries than one statement skips", () => {
  test("skips them all if nothing is replayed, and is then sent what is new", async () => {
    const { tenant, shop, skipped, enable } = await backlog();
    await enable("disabled");
    await enable("enabled");
    clock.advance(1);
    await emitSome(ctx, tenant, 3);
    await tidy();
    await hand.deliver();
    expect([await skipped(), shop.received.length]).toEqual([backlogCount, 3]);
  });

  test("that subscribes to less keeps what it still subscribes to", async () => {
    const { tenant, shop, skipped, id } = await backlog();
    await emitSome(ctx, tenant, 3);
    await changeEndpoint(ctx, tenant, { id, if_version: null, events: ["order.paid"] });
    await tidy();
    await hand.deliver();
    expect([await skipped(), shop.received.length]).toEqual([backlogCount, 3]);
  });
});
