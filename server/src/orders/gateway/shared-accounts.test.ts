import { describe, expect, test } from "vitest";
import { listTransactions } from "#ledger/index.ts";
import { listExceptions } from "#reconciliation/exception/list-exceptions.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { booksBalanceOf } from "#test/support/books/books-balance.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { compareDue } from "#test/support/gateways/scripted/compare-days.ts";
import { disputeOf } from "#test/support/gateways/scripted/gateway-deeds.ts";
import { type GatewayShop, gatewayShop } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway, type SentCallback } from "#test/support/gateways/scripted/paying-gateway.ts";
import { isTested } from "#test/support/run/short-form.ts";
import { listOrderDisputes } from "../dispute/list-disputes.ts";
import { listOrderEvents } from "../order/list-parts.ts";
import { listOrderRefunds } from "../refund/list-refunds.ts";
import { findOrderRow } from "../rows/orders.sql.ts";

const gateway = payingGateway({ lists: true });
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx, clock } = app;
const booksBalance = booksBalanceOf(app);
const key = "tp_shared";

/** Two projects whose payments go to one account with the provider, which tells both of everything. */
const open = async () => {
  const [one, other] = [await gatewayShop(app), await gatewayShop(app)];
  const [ours, theirs] = [await one.account(key), await other.account(key)];
  const sendCallback = async ({ headers, payload }: SentCallback) => {
    for (const credential of [theirs, ours])
      await app.api().call("POST", `/api/payments/testpay/webhook/${credential}`, { headers, payload });
  };
  const { order, session } = await one.started();
  gateway.pay(session.id, { paidAt: clock.now() });
  await sendCallback(gateway.callback(session.id));
  return { one, other, order, session, sendCallback };
};
/** Lets days pass in which accounts are compared with the provider's list. */
const compared = async (days: number) => {
  for (let day = 0; day < days; day += 1, clock.advance(86_400_000)) {
    await compareDue(app);
  }
};
const casesOf = async ({ tenant }: GatewayShop) => (await listExceptions(ctx, tenant, { limit: 20, filters: {} })).rows;
const bookedOf = async ({ tenant }: GatewayShop) => (await listTransactions(ctx, tenant, { limit: 20 }))?.data ?? [];

describe("a payment to an account that two projects share", () => {
  test("belongs to the project that requested it, and isn't unknown money in the other's books", async () => {
    const { one, other, order } = await open();
    expect(await findOrderRow(ctx.db, one.tenant, order.id)).toMatchObject({ status: "paid", amount_received_minor: 9_900 });
    expect([await casesOf(other), await bookedOf(other)]).toEqual([[], []]);
  });

  test("is disputed and refunded only in that project", async () => {
    const { one, other, session, sendCallback } = await open();
    await sendCallback(gateway.callback(session.id, { report: { kind: "dispute", dispute: disputeOf(session.id, { at: 1 }) } }));
    const id = gateway.refundAtProvider(session.id, { id: "rf_shared", amountMinor: 100 });
    await sendCallback(gateway.refundCallback(id));
    expect(await casesOf(one)).toMatchObject([{ detail: { reason: "refunded_elsewhere" } }, { detail: { reason: "disputed" } }]);
    expect([await casesOf(other), await bookedOf(other)]).toEqual([[], []]);
  });

  test("that was entered twice in one project pays its order, whichever entry is compared with the provider's list first", async () => {
    const shop = await gatewayShop(app);
    for (let entry = 0; entry < 3; entry += 1) await shop.account("tp_twice");
    const { order, session } = await shop.started({ expires_in: 2_000_000 });
    gateway.pay(session.id, { paidAt: clock.now() });
    const line = { kind: "payment", providerId: null, captureId: `cap_${session.id}`, occurredAt: clock.now() } as const;
    gateway.settled.set("tp_twice", [{ ...line, reference: session.id, amount: { amount_minor: 9_900, currency: "CNY" } }]);
    await compared(3);
    expect(await findOrderRow(ctx.db, shop.tenant, order.id)).toMatchObject({ status: "paid", amount_received_minor: 9_900 });
    expect(await casesOf(shop)).toEqual([]);
  });

  test("belongs to another project if that one compares the provider's list", async () => {
    const { one, other, session } = await open();
    const line = { kind: "payment", providerId: null, captureId: `cap_${session.id}`, occurredAt: clock.now() } as const;
    gateway.settled.set(key, [{ ...line, reference: session.id, amount: { amount_minor: 9_900, currency: "CNY" } }]);
    await compared(3);
    expect(gateway.countOf("list")).toBeGreaterThan(0);
    expect([await casesOf(one), await casesOf(other), await bookedOf(other)]).toEqual([[], [], []]);
    await booksBalance();
  });
});

describe("an account that was entered twice in one project", () => {
  /** The entry that the payment was requested on, and another one; the provider tells both of everything. */
  const enteredTwice = async (otherKey = "tp_twice") => {
    const shop = await gatewayShop(app);
    const [own, other] = [await shop.account("tp_twice"), await shop.account(otherKey)];
    const { order, session } = await shop.started();
    gateway.pay(session.id, { paidAt: clock.now() });
    const sendTo = (credential: string, { headers, payload }: SentCallback) =>
      app.api().call("POST", `/api/payments/testpay/webhook/${credential}`, { headers, payload });
    await sendTo(own, gateway.callback(session.id));
    const events = async () => (await listOrderEvents(ctx, shop.tenant, { order_id: order.id, limit: 100 })).rows.map(({ event }) => event);
    const disputes = async () => (await listOrderDisputes(ctx, shop.tenant, { order_id: order.id, limit: 10 })).rows;
    const refunds = async () => (await listOrderRefunds(ctx, shop.tenant, { order_id: order.id, limit: 10 })).rows;
    return { shop, own, other, order, session, sendTo, events, disputes, refunds };
  };
  type Named = Parameters<typeof disputeOf>[1]["payment"];
  const disputed = (session: { id: string }, secret: string, payment?: Named) => {
    const dispute = disputeOf(session.id, { at: 1, ...(payment === undefined ? {} : { payment }) });
    return gateway.callback(session.id, { report: { kind: "dispute", dispute }, secret });
  };

  const ways: { name: string; named: (id: string) => Named }[] = [
    { name: "our reference", named: (reference) => ({ reference, providerId: null, captureId: null }) },
    { name: "its own id of the payment", named: (id) => ({ reference: null, providerId: `pay_${id.slice(3)}`, captureId: null }) },
    { name: "its id of the money", named: (id) => ({ reference: null, providerId: null, captureId: `cap_${id}` }) },
  ];
  const firsts = ["other", "both"] as const;
  const cases = ways.flatMap((way, at) => firsts.filter((_first, place) => isTested(at, place)).map((first) => ({ ...way, first })));

  test.each(cases)("has one dispute, of the payment, by $name, first told: $first", async ({ named, first }) => {
    const { shop, own, other, order, session, sendTo, events, disputes } = await enteredTwice();
    const report = () => disputed(session, "secret of tp_twice", named(session.id));
    await Promise.all(first === "other" ? [sendTo(other, report())] : [sendTo(other, report()), sendTo(own, report())]);
    expect(await disputes()).toHaveLength(1);
    await Promise.all([sendTo(other, report()), sendTo(own, report())]);
    expect(await disputes()).toMatchObject([{ order_id: order.id, status: "opened", credential_id: own, in_books: true }]);
    expect((await events()).filter((event) => event === "dispute.opened")).toHaveLength(1);
    expect(await casesOf(shop)).toMatchObject([{ order_id: order.id, kind: "mismatch", detail: { reason: "disputed" } }]);
    await booksBalance();
  });

  test.each([
    ["our reference", 0],
    ["its id of the money", 1],
  ])("has its refunds recorded once, by %s, whichever entry is told of them", async (_name, from) => {
    const { shop, own, other, order, session, sendTo, refunds } = await enteredTwice();
    const id = gateway.refundAtProvider(session.id, { id: `rf_twice_${from}`, amountMinor: 700 });
    const ways = [{ reference: session.id, providerId: null }, { captureId: `cap_${session.id}` }];
    for (const payment of ways.slice(from)) {
      await sendTo(other, gateway.refundCallback(id, { payment }));
      expect(await refunds()).toMatchObject([{ amount_minor: 700, status: "succeeded", gateway_refund_id: `re_${id}` }]);
    }
    await Promise.all([other, own].map((to) => sendTo(to, gateway.refundCallback(id))));
    expect(await refunds()).toHaveLength(1);
    expect(await findOrderRow(ctx.db, shop.tenant, order.id)).toMatchObject({ amount_refunded_minor: 700 });
    expect(await casesOf(shop)).toEqual([]);
    await booksBalance();
  });

  test("has its payment asked about, whichever entry is told of it by the provider's id", async () => {
    const shop = await gatewayShop(app);
    const [, other] = [await shop.account("tp_twice"), await shop.account("tp_twice")];
    const { order, session } = await shop.started();
    const { providerId } = gateway.pay(session.id);
    const { headers, payload } = gateway.callback(session.id, { report: { kind: "ask", about: { reference: null, providerId } } });
    await app.api().call("POST", `/api/payments/testpay/webhook/${other}`, { headers, payload });
    expect(await findOrderRow(ctx.db, shop.tenant, order.id)).toMatchObject({ status: "paid" });
  });

  test.each<{ name: string; otherKey: string; other: string | null }>([
    { name: "has another name at the provider", otherKey: "tp_otherwise", other: "tp_otherwise" },
    { name: "isn't known by name at the provider", otherKey: "tp_twice", other: null },
  ])("has no refund of a payment recorded that an entry reports which $name", async ({ otherKey, other: account }) => {
    const { shop, other, session, sendTo, refunds } = await enteredTwice(otherKey);
    await runStatement(ctx.db, "update gateway_credentials set account = ? where id = ?", account, other);
    const id = gateway.refundAtProvider(session.id, { id: `rf_otherwise_${otherKey}`, amountMinor: 700 });
    await sendTo(other, gateway.refundCallback(id, { secret: `secret of ${otherKey}` }));
    expect([await refunds(), await casesOf(shop)]).toEqual([[], []]);
    await booksBalance();
  });

  test("has no dispute in doubt: an entry whose account isn't known leaves it to the payment's own", async () => {
    const { shop, own, other, session, sendTo, disputes } = await enteredTwice();
    await runStatement(ctx.db, "update gateway_credentials set account = null where id = ?", other);
    await sendTo(other, disputed(session, "secret of tp_twice"));
    expect([await disputes(), await casesOf(shop)]).toEqual([[], []]);
    await sendTo(own, disputed(session, "secret of tp_twice"));
    expect(await disputes()).toHaveLength(1);
    await booksBalance();
  });
});
