import { describe, expect, test } from "vitest";
import { reviveComparisons } from "#gateways/comparison/claim-comparisons.ts";
import { findCredential } from "#gateways/index.ts";
import { findOrder, refundOrder } from "#orders/index.ts";
import { failRefund } from "#orders/refund/fail-refund.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { booksBalanceOf } from "#test/support/books/books-balance.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { compareDays, compareDue } from "#test/support/gateways/scripted/compare-days.ts";
import { gatewayShop } from "#test/support/gateways/scripted/gateway-shop.ts";
import { type ListedShop, listedShops } from "#test/support/gateways/scripted/listed-shops.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { listExceptions } from "../exception/list-exceptions.ts";
import { resolveException } from "../exception/resolve-exception.ts";
import { createComparer } from "./compare-accounts.ts";

const gateway = payingGateway({ lists: true });
const crash = { at: 0, seen: 0 };
class Crash extends Error {}
const app = await testApp({
  gateways: { adapters: [gateway.adapter] },
  http: { perMinuteUnauthenticated: 100_000 },
  probe(text) {
    if (crash.at === 0 || !/^\s*(--.*\n\s*)*(select|insert|update|delete|with)\b/.test(text)) return;
    crash.seen += 1;
    if (crash.seen === crash.at) throw new Crash();
  },
});
const { ctx, clock } = app;
const other = await testApp({ gateways: { adapters: [payingGateway().adapter] } });
const day = 86_400_000;
const open = listedShops(app, gateway);
const cny = (amount_minor: number) => ({ amount_minor, currency: "CNY" });

const nextDay = (days = 1) => compareDays(app, days);
/** Lets time pass until the day of now was compared, or could not be. */
const comparedToday = async (shop: ListedShop) => {
  const now = clock.now();
  for (let hours = 0; hours < 72; hours += 6) {
    clock.advance(6 * 3_600_000);
    await compareDue(app);
    const { compared_until, comparison_status } = await accountOf(shop);
    if (comparison_status === "failed" || (compared_until !== null && compared_until > now)) return;
  }
  throw new Error("the day was not compared");
};
const accountOf = ({ tenant, credential }: ListedShop) => findCredential(ctx, tenant, { gateway: "testpay", id: credential });
const casesOf = async ({ tenant }: ListedShop) => (await listExceptions(ctx, tenant, { limit: 100, filters: {} })).rows;
const reasonsOf = async (shop: ListedShop) => (await casesOf(shop)).map(({ detail }) => detail["reason"]).sort();
const pollsOf = ({ key }: ListedShop) =>
  gateway.calls.filter((call) => call.verb === "list" && call.key === key).map(({ reference }) => reference);
const refundByHand = ({ tenant }: ListedShop, order_id: string) =>
  refundOrder(ctx, tenant, { method: "manual", order_id, amount_minor: 500 });
const booksBalance = booksBalanceOf(app);

describe("the daily comparison", () => {
  test("is silent if the provider lists what is here, and says how far it got", async () => {
    const shop = await open();
    expect(await accountOf(shop)).toMatchObject({ comparison_status: null, compared_until: null });
    for (let at = 0; at < 3; at += 1) await shop.paid();
    await nextDay(2);
    expect(await accountOf(shop)).toMatchObject({ comparison_status: "equal", compared_differences: 0, comparison_error: null });
    expect(await casesOf(shop)).toEqual([]);
    const { compared_until } = await accountOf(shop);
    await nextDay();
    expect((await accountOf(shop)).compared_until?.getTime()).toBe((compared_until?.getTime() ?? 0) + day);
    await booksBalance();
  });

  test("runs once a day, for consecutive days, and catches up after a pause", async () => {
    const shop = await open();
    await nextDay(3);
    const pollCount = pollsOf(shop).length;
    await compareDue(app);
    expect(pollsOf(shop)).toHaveLength(pollCount);
    clock.advance(5 * day);
    await compareDue(app);
    const spans = pollsOf(shop).map((span) => span.split(" "));
    expect(spans).toHaveLength(pollCount + 5);
    for (const [at, [from]] of spans.slice(1).entries()) expect(from).toBe(spans[at]?.[1]);
  });

  test("ignores what other programs take in the same account", async () => {
    const shop = await open();
    shop.list({ reference: "order-17", captureId: "cap_theirs" });
    shop.list({ kind: "refund", providerId: "re_theirs", captureId: "cap_theirs" });
    shop.list({ reference: null });
    await nextDay(2);
    expect(await accountOf(shop)).toMatchObject({ comparison_status: "equal" });
    expect(await casesOf(shop)).toEqual([]);
  });
});

interface Planted {
  name: string;
  plant(shop: ListedShop): Promise<void>;
  reasons: string[];
  /** Days until it is found. */
  days?: number;
}

describe("detects", () => {
  const paid = (listed: Parameters<ListedShop["paid"]>[0]) => async (shop: ListedShop) => void (await shop.paid(listed));
  const planted: Planted[] = [
    { name: "a payment of another amount", plant: paid({ amount: cny(9800) }), reasons: ["listed_amount"] },
    {
      name: "a payment of a lower amount, which the provider reported too after it was booked",
      async plant(shop) {
        const { session_id } = await shop.paid({ amount: cny(6000) });
        gateway.change(session_id, { paid: cny(6000) });
        const { headers, payload } = gateway.callback(session_id);
        await app.api().call("POST", `/api/payments/testpay/webhook/${shop.credential}`, { headers, payload });
      },
      reasons: ["listed_amount"],
    },
    { name: "a payment in another currency", plant: paid({ amount: { ...cny(9900), currency: "EUR" } }), reasons: ["listed_amount"] },
    { name: "a payment that the provider doesn't list", plant: paid(null), reasons: ["not_listed"], days: 18 },
    {
      name: "a payment that the provider lists and, when asked, doesn't call paid",
      plant: async (shop) => shop.list({ reference: (await shop.started()).session.id }),
      reasons: ["listed_unsettled"],
    },
    {
      name: "a reference of ours that neither of us has a payment for",
      plant: async (shop) => shop.list({ reference: ctx.id("ps") }),
      reasons: ["listed_unknown"],
    },
    {
      name: "a refund of another amount",
      plant: async (shop) => {
        const { id } = await refundByHand(shop, (await shop.paid()).order_id);
        shop.list({ kind: "refund", reference: id, providerId: `re_${shop.key}`, amount: cny(600) });
      },
      reasons: ["listed_refund_amount"],
    },
    {
      name: "a refund that failed here",
      plant: async (shop) => {
        const { id } = await refundByHand(shop, (await shop.paid()).order_id);
        await failRefund(ctx, shop.tenant, { refund_id: id, failure_code: "returned" });
        shop.list({ kind: "refund", reference: id, providerId: `re_${shop.key}`, amount: cny(500) });
      },
      reasons: ["listed_refund_failed"],
    },
  ];

  test.each(planted)("$name, once, next to what matches", async ({ plant, reasons, days = 2 }) => {
    const shop = await open();
    await nextDay(2);
    await shop.paid();
    await plant(shop);
    await nextDay(days);
    expect(await reasonsOf(shop)).toEqual(reasons);
    expect(await casesOf(shop)).toMatchObject([{ status: "open", transaction_id: null, detail: { source: "comparison" } }]);
    const again = "update gateway_comparisons set compared_until = compared_until - interval '20 days' where credential_id = ?";
    await runStatement(ctx.db, again, shop.credential);
    await nextDay(1);
    await compareDue(app);
    expect(await reasonsOf(shop)).toEqual(reasons);
    await booksBalance();
  });

  test("unreported money, and settles it as always", async () => {
    const shop = await open();
    const { order, session } = await shop.started({ expires_in: 2_592_000 });
    gateway.pay(session.id, { paidAt: clock.now() });
    shop.list({ reference: session.id });
    await comparedToday(shop);
    expect((await findOrder(ctx, shop.tenant, order.id)).order).toMatchObject({ status: "paid" });
    expect(await accountOf(shop)).toMatchObject({ comparison_status: "different", compared_differences: 1 });
    expect(await casesOf(shop)).toEqual([]);
    await booksBalance();
  });

  test("a refund that was made at the provider, and records it", async () => {
    const shop = await open();
    const { order_id, session_id } = await shop.paid();
    shop.list({ kind: "refund", providerId: `re_${shop.key}`, captureId: `cap_${session_id}`, amount: cny(500) });
    await comparedToday(shop);
    expect((await findOrder(ctx, shop.tenant, order_id)).order).toMatchObject({ amount_refunded_minor: 500 });
    expect(await accountOf(shop)).toMatchObject({ comparison_status: "different", compared_differences: 1 });
    expect(await casesOf(shop)).toEqual([]);
    await booksBalance();
  });

  test("money with a reference of ours that no payment here has, and holds it for a person", async () => {
    const shop = await open();
    const reference = ctx.id("ps");
    const { session } = await shop.started();
    const known = gateway.payments.get(session.id);
    if (known === undefined) throw new Error("no payment");
    gateway.payments.set(reference, { ...known, reference });
    gateway.pay(reference, { paidAt: clock.now() });
    shop.list({ reference });
    await nextDay(2);
    expect(await casesOf(shop)).toMatchObject([
      { kind: "unmatched", order_id: null, amount_minor: 9900, transaction_id: expect.stringMatching(/^txn_/) },
    ]);
    await booksBalance();
  });
});

describe("if a list isn't available", () => {
  test("the account says why, and the day is compared later, completely", async () => {
    const shop = await open();
    await shop.paid({ amount: cny(1) });
    gateway.fault("list", { kind: "auth", code: "http_401" });
    await comparedToday(shop);
    const account = await accountOf(shop);
    expect(account).toMatchObject({ comparison_status: "failed", compared_until: null, comparison_error: { code: "http_401" } });
    expect(await casesOf(shop)).toEqual([]);
    clock.advance(3_600_000);
    await compareDue(app);
    expect(await accountOf(shop)).toMatchObject({ comparison_error: null });
    expect(await reasonsOf(shop)).toEqual(["listed_amount"]);
  });

  test("a payment missing from the provider's responses keeps its day open", async () => {
    const shop = await open();
    const { session } = await shop.started({ expires_in: 2_592_000 });
    shop.list({ reference: session.id });
    gateway.pay(session.id, { paidAt: clock.now() });
    gateway.fault("query", { kind: "unavailable", of: session.id });
    await comparedToday(shop);
    expect(await accountOf(shop)).toMatchObject({ comparison_status: "failed" });
    clock.advance(3_600_000);
    await compareDue(app);
    expect(await accountOf(shop)).toMatchObject({ comparison_status: "different", compared_differences: 1, comparison_error: null });
    expect(await casesOf(shop)).toEqual([]);
  });
});

test("a process that ends before any statement leaves the day to another, and no one is notified twice", async () => {
  const shop = await open();
  await shop.paid();
  await shop.paid({ amount: cny(1) });
  shop.list({ reference: ctx.id("ps") });
  clock.advance(2 * day);
  const deathsForgotten =
    "update gateway_comparisons set state = 'due', deaths = 0, lease = null, lease_until = null where state <> 'done'";
  let isDone = false;
  for (let at = 2; !isDone; at += 1) {
    Object.assign(crash, { at, seen: 0 });
    await compareDue(app).catch(() => undefined);
    isDone = crash.seen < at;
    crash.at = 0;
    clock.advance(180_000);
    await reviveComparisons(ctx);
    await runStatement(ctx.db, deathsForgotten);
  }
  await compareDue(app);
  expect((await accountOf(shop)).compared_until).not.toBeNull();
  expect(await reasonsOf(shop)).toEqual(["listed_amount", "listed_unknown"]);
  await booksBalance();
});

test("the exception of a difference can be closed, and holds no money", async () => {
  const shop = await open();
  await shop.paid({ amount: cny(1) });
  await nextDay(2);
  const exception_id = (await casesOf(shop))[0]?.id ?? "";
  const accepted = resolveException(ctx, shop.tenant, { exception_id, action: "accept" });
  await expect(accepted).rejects.toMatchObject({ code: "order_state_conflict" });
  expect(await resolveException(ctx, shop.tenant, { exception_id, action: "ignore" })).toMatchObject({ status: "resolved" });
});

test("an account of a provider without a list says so, and a removed one is dropped", async () => {
  const shop = await open();
  await runStatement(ctx.db, "update gateway_credentials set removed_at = app_now() - interval '40 days' where id = ?", shop.credential);
  await nextDay(2);
  const removed = await runStatement(ctx.db, "select state from gateway_comparisons where credential_id = ?", shop.credential);
  expect(removed).toEqual([{ state: "done" }]);
  const shopThere = await gatewayShop(other);
  const id = await shopThere.account("tp_plain");
  other.clock.advance(2 * day);
  const comparer = createComparer();
  await comparer.run(other.ctx);
  await comparer.idle();
  const account = await findCredential(other.ctx, shopThere.tenant, { gateway: "testpay", id });
  expect(account).toMatchObject({ comparison_status: "unlisted", compared_until: null });
});
