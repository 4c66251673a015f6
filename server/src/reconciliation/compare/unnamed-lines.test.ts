import { expect, test } from "vitest";
import { findCredential } from "#gateways/index.ts";
import { findOrder } from "#orders/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { compareDays } from "#test/support/gateways/scripted/compare-days.ts";
import { listedShops } from "#test/support/gateways/scripted/listed-shops.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { listExceptions } from "../exception/list-exceptions.ts";

/** A provider whose list has no references of ours, and which knows them by the ids of the money. */
const gateway = payingGateway({ lists: true });
const references = new Map<string, string>();
const asked: string[] = [];
const { open: openAccount } = gateway.adapter;
gateway.adapter = {
  ...gateway.adapter,
  open: (...given) => ({
    ...openAccount(...given),
    async findReference(_call, captureId) {
      asked.push(captureId);
      return references.get(captureId) ?? null;
    },
  }),
};
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx, clock } = app;
const open = listedShops(app, gateway);

const compareTwoDays = async () => {
  asked.length = 0;
  await compareDays(app, 2);
};

test("a payment that no one reported is found by its money's id, and the provider isn't asked about known ones", async () => {
  const shop = await open();
  const known = await shop.paid({ reference: null });
  const { order, session } = await shop.started({ expires_in: 604_800 });
  gateway.pay(session.id, { paidAt: clock.now() });
  references.set("cap_late", session.id);
  shop.list({ captureId: "cap_late" });
  shop.list({ captureId: "cap_of_another_program" });
  await compareTwoDays();
  expect(asked).toEqual(["cap_late", "cap_of_another_program"]);
  expect((await findOrder(ctx, shop.tenant, order.id)).order).toMatchObject({ status: "paid", amount_received_minor: 9_900 });
  expect((await findOrder(ctx, shop.tenant, known.order_id)).order).toMatchObject({ status: "paid", flags: [] });
  expect((await listExceptions(ctx, shop.tenant, { limit: 9, filters: {} })).rows).toEqual([]);
});

test("of a list with many payments of another program, a limited number is asked about", async () => {
  const shop = await open();
  for (let at = 0; at < 250; at += 1) shop.list({ captureId: `cap_other_${at}` });
  await compareTwoDays();
  expect(asked).toHaveLength(100);
  const account = await findCredential(ctx, shop.tenant, { gateway: "testpay", id: shop.credential });
  expect(account).toMatchObject({ comparison_status: "equal", compared_lines: expect.any(Number) });
});
