import { expect, test } from "vitest";
import type { DisputeSnapshot } from "#gateways/index.ts";
import { listExceptions } from "#reconciliation/exception/list-exceptions.ts";
import { resolveException } from "#reconciliation/exception/resolve-exception.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { type GatewayShop, gatewayShop } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway, type SentCallback } from "#test/support/gateways/scripted/paying-gateway.ts";
import { bookFaults } from "#test/support/payments/receipt-shop.ts";
import { findOrderRow } from "../rows/orders.sql.ts";
import { createCallbackApplier } from "./receive-callback.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] } });
const { ctx, clock } = app;
/** The tries of a worker, by the time since the one before. */
const waits = [21_000, 60_000, 300_000, 3_600_000, 86_400_000];

const open = async () => {
  const shop = await gatewayShop(app);
  const credential = await shop.account("tp_a");
  const send = ({ headers, payload }: SentCallback) =>
    app.api().call("POST", `/api/payments/testpay/webhook/${credential}`, { headers, payload });
  const { order, session } = await shop.started();
  gateway.pay(session.id);
  await send(gateway.callback(session.id));
  const sayChanged = () =>
    send(gateway.callback(session.id, { report: { kind: "ask", about: { reference: session.id, providerId: null } } }));
  return { shop, order, session, sayChanged };
};
const dispute = (reference: string): DisputeSnapshot => ({
  providerDisputeId: `dp_${reference}`,
  payment: { reference, providerId: null, captureId: null },
  state: "opened",
  amount: { amount_minor: 9_900, currency: "CNY" },
  reason: "fraud",
  occurredAt: clock.now(),
});
const refuse = (of: string, times: number) => {
  for (let time = 0; time < times; time += 1) gateway.fault("query", { kind: "auth", of });
};
const apply = async (afterMs: number) => {
  clock.advance(afterMs);
  const applier = createCallbackApplier();
  for (let started = 1; started > 0; await applier.idle()) started = await applier.run(ctx);
  await applier.finish(ctx);
};
const casesOf = async (shop: GatewayShop) => (await listExceptions(ctx, shop.tenant, { limit: 20, filters: {} })).rows;

test("a callback about a paid payment that its provider doesn't explain is shown to a person, and asked about until it is", async () => {
  const { shop, order, session, sayChanged } = await open();
  gateway.change(session.id, { disputes: [dispute(session.id)] });
  // Two deliveries: one case.
  refuse(session.id, 2 + 2 * waits.length);
  await sayChanged();
  await sayChanged();
  for (const wait of waits.slice(0, -1)) await apply(wait);
  expect(await casesOf(shop)).toEqual([]);
  await apply(86_400_000);
  const unanswered = { kind: "unmatched", order_id: order.id, payment_session_id: session.id, detail: { reason: "callback_unanswered" } };
  expect(await casesOf(shop)).toMatchObject([{ ...unanswered, status: "open", transaction_id: null }]);
  const [exception] = await casesOf(shop);
  const accepting = resolveException(ctx, shop.tenant, { exception_id: exception?.id ?? "", action: "accept" });
  await expect(accepting).rejects.toMatchObject({ code: "order_state_conflict" });
  await apply(86_400_000);
  expect(await findOrderRow(ctx.db, shop.tenant, order.id)).toMatchObject({ flags: ["disputed"], amount_disputed_minor: 9_900 });
  expect(await casesOf(shop)).toMatchObject([
    { status: "open", detail: { reason: "disputed" } },
    { ...unanswered, status: "resolved", resolution: "released" },
  ]);
  expect(await bookFaults(app)).toEqual([]);
});

test("a provider that never explains a callback isn't asked about it forever, and its case stays open", async () => {
  const { shop, session, sayChanged } = await open();
  refuse(session.id, 100);
  await sayChanged();
  for (const wait of waits) await apply(wait);
  for (let day = 0; day < 40; day += 1) await apply(86_400_000);
  const asked = gateway.calls.filter(({ verb, reference }) => verb === "query" && reference === session.id).length;
  expect(asked).toBe(35);
  expect(await casesOf(shop)).toMatchObject([{ status: "open", detail: { reason: "callback_unanswered" } }]);
});

test("a case that a person ignored isn't opened again by the callback that it was about, but by a later one", async () => {
  const { shop, session, sayChanged } = await open();
  refuse(session.id, 100);
  await sayChanged();
  for (const wait of waits) await apply(wait);
  const [ignored] = await casesOf(shop);
  await resolveException(ctx, shop.tenant, { exception_id: ignored?.id ?? "", action: "ignore" });
  for (let day = 0; day < 3; day += 1) await apply(86_400_000);
  expect(await casesOf(shop)).toMatchObject([{ id: ignored?.id, status: "resolved", resolution: "ignore" }]);
  await sayChanged();
  for (const wait of waits) await apply(wait);
  expect(await casesOf(shop)).toMatchObject([
    { status: "open", detail: { reason: "callback_unanswered" } },
    { id: ignored?.id, status: "resolved" },
  ]);
});
