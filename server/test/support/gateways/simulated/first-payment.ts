import { expect } from "vitest";
import type { DeliveredCallback } from "#gateways/registry.ts";
import { type TestApp, type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { choose, demoGateways, orderNow, startDemoPayment } from "./demo-shop.ts";

/** An app, and the callbacks that its simulated providers have delivered. */
export interface WatchedShop {
  app: TestApp;
  delivered: DeliveredCallback[];
}

/** Opens it. Call it at the top of a test file. */
export async function watchedShop(): Promise<WatchedShop> {
  const delivered: DeliveredCallback[] = [];
  const deliver: NonNullable<typeof demoGateways.deliver> = (ctx, callback) => {
    delivered.push(callback);
    return demoGateways.deliver?.(ctx, callback) ?? Promise.resolve(null);
  };
  const app = await testApp({
    gateways: { ...demoGateways, deliver },
    http: { perMinuteLinkReadsPerAddress: 10_000, perMinuteUnauthenticated: 10_000 },
  });
  return { app, delivered };
}

/** A project's accounts with gateways. */
export const demoAccountsOf = ({ ctx }: TestApp, tenant: TestTenant) =>
  runStatement(
    ctx.db,
    "select id, demo from gateway_credentials where project_id = ? and livemode = ?",
    tenant.project_id,
    tenant.livemode,
  );

/** A gateway without a setup is simulated as soon as a payment uses it: chosen on its page, paid before the buyer is back. */
export async function expectSimulated({ app, delivered }: WatchedShop, gateway: string): Promise<void> {
  const shop = await app.tenant();
  const payment = await startDemoPayment(app, shop, gateway);
  const shown = await app.api().get(payment.page, { headers: { "accept-language": "en" } });
  expect(shown.status, shown.text).toBe(200);
  expect(shown.text).toContain("no real money");
  delivered.length = 0;
  const answer = await choose(app, payment.page, "paid");
  expect(answer.status, answer.text).toBe(303);
  expect(delivered.map(({ credentialId }) => credentialId)).toContain(payment.account);
  const order = await orderNow(app, shop, payment.order_id);
  expect(order).toMatchObject({
    status: "paid",
    amount_received_minor: 9_900,
    latest_payment_session: { gateway, demo: true, status: "succeeded" },
  });
  expect(await demoAccountsOf(app, shop)).toEqual([{ id: payment.account, demo: true }]);
  const { data } = (await app.api(shop.key).get(`/api/v1/projects/${shop.project_id}/gateways`)).body;
  expect(data.filter(({ demo }: { demo: boolean }) => demo).map(({ slug }: { slug: string }) => slug)).toEqual([gateway]);
}
