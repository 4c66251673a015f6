import { describe, expect, test } from "vitest";
import type { DisputeSnapshot } from "#gateways/index.ts";
import { listTransactions } from "#ledger/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { disputedShops } from "#test/support/gateways/scripted/disputed-shops.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx } = app;
const { open, disputesOf, orderOf, eventsOf, casesOf, bookedOf, balanceOf, auditsOf, booksBalance } = disputedShops(app, gateway);

type State = DisputeSnapshot["state"];

describe("a dispute", () => {
  test("that is opened takes the money out of its wallet, flags the order, and is reported to the merchant by an event and an exception", async () => {
    const shop = await open();
    expect(await shop.report({ at: 1 })).toMatchObject({ status: 200 });
    expect(await orderOf(shop)).toMatchObject({
      status: "paid",
      flags: ["disputed"],
      amount_received_minor: 9900,
      amount_disputed_minor: 9900,
    });
    const [dispute] = await disputesOf(shop);
    expect(dispute).toMatchObject({
      status: "opened",
      amount_minor: 9900,
      reason: "fraudulent",
      in_books: true,
      payment_session_id: shop.session_id,
    });
    const [transaction] = (await listTransactions(ctx, shop.tenant, { limit: 1 }))?.data ?? [];
    expect(transaction).toMatchObject({
      ...{ id: dispute?.transaction_id, type: "adjustment", status: "completed", gateway: "testpay", amount_minor: -9900 },
      ...{ order_id: shop.order_id, external_transaction_id: dispute?.provider_dispute_id },
    });
    expect(await balanceOf(shop)).toBe(0);
    expect(await eventsOf(shop)).toEqual(["dispute.opened"]);
    expect(await casesOf(shop)).toMatchObject([
      {
        id: dispute?.exception_id,
        kind: "mismatch",
        status: "open",
        amount_minor: 9900,
        transaction_id: null,
        detail: { reason: "disputed", dispute_id: dispute?.id },
      },
    ]);
    expect(await auditsOf(shop)).toEqual([{ action: "dispute.opened" }]);
    await booksBalance();
  });

  interface Course {
    name: string;
    reports: readonly (readonly [State, number])[];
    status: State;
    /** What reached the wallet, in order. */
    booked: number[];
    events: string[];
    flags: string[];
    cases: string[];
  }
  const [opened, won, lost] = ["dispute.opened", "dispute.won", "dispute.lost"];
  const courses: Course[] = [
    {
      name: "asked about",
      reports: [["inquiry", 1]],
      status: "inquiry",
      booked: [],
      events: [opened],
      flags: ["disputed"],
      cases: ["open"],
    },
    {
      name: "opened and won",
      reports: [
        ["opened", 1],
        ["won", 2],
      ],
      status: "won",
      booked: [-9900, 9900],
      events: [won, opened],
      flags: [],
      cases: ["resolved"],
    },
    {
      name: "opened and lost",
      reports: [
        ["opened", 1],
        ["lost", 2],
      ],
      status: "lost",
      booked: [-9900],
      events: [lost, opened],
      flags: ["disputed"],
      cases: ["open"],
    },
    {
      name: "asked about, then opened",
      reports: [
        ["inquiry", 1],
        ["opened", 2],
      ],
      status: "opened",
      booked: [-9900],
      events: [opened, opened],
      flags: ["disputed"],
      cases: ["open"],
    },
    {
      name: "asked about, and no more",
      reports: [
        ["inquiry", 1],
        ["won", 2],
      ],
      status: "won",
      booked: [],
      events: [won, opened],
      flags: [],
      cases: ["resolved"],
    },
    {
      name: "asked about and lost",
      reports: [
        ["inquiry", 1],
        ["lost", 2],
      ],
      status: "lost",
      booked: [-9900],
      events: [lost, opened],
      flags: ["disputed"],
      cases: ["open"],
    },
    {
      name: "told thrice",
      reports: [
        ["opened", 1],
        ["opened", 1],
        ["opened", 3],
      ],
      status: "opened",
      booked: [-9900],
      events: [opened],
      flags: ["disputed"],
      cases: ["open"],
    },
    {
      name: "won before it was seen open",
      reports: [
        ["won", 2],
        ["opened", 1],
      ],
      status: "won",
      booked: [],
      events: [won],
      flags: [],
      cases: [],
    },
    {
      name: "lost before it was seen open",
      reports: [
        ["lost", 2],
        ["opened", 1],
      ],
      status: "lost",
      booked: [-9900],
      events: [lost],
      flags: ["disputed"],
      cases: ["open"],
    },
    {
      name: "opened, with the inquiry told late",
      reports: [
        ["opened", 2],
        ["inquiry", 1],
      ],
      status: "opened",
      booked: [-9900],
      events: [opened],
      flags: ["disputed"],
      cases: ["open"],
    },
    {
      name: "won within the second in which it was opened",
      reports: [
        ["opened", 1],
        ["won", 1],
        ["opened", 1],
      ],
      status: "won",
      booked: [-9900, 9900],
      events: [won, opened],
      flags: [],
      cases: ["resolved"],
    },
    {
      name: "repeated before an earlier end is told",
      reports: [
        ["opened", 1],
        ["opened", 5],
        ["won", 3],
      ],
      status: "opened",
      booked: [-9900],
      events: [opened],
      flags: ["disputed"],
      cases: ["open"],
    },
    {
      name: "won, and opened anew",
      reports: [
        ["opened", 1],
        ["won", 2],
        ["opened", 3],
      ],
      status: "opened",
      booked: [-9900, 9900, -9900],
      events: [opened, won, opened],
      flags: ["disputed"],
      cases: ["open", "resolved"],
    },
    {
      name: "lost, and won on appeal",
      reports: [
        ["opened", 1],
        ["lost", 2],
        ["opened", 3],
        ["won", 4],
      ],
      status: "won",
      booked: [-9900, 9900],
      events: [won, opened, lost, opened],
      flags: [],
      cases: ["resolved"],
    },
  ];

  test.each(courses)("that is $name", async ({ reports, status, booked, events, flags, cases }) => {
    const shop = await open();
    for (const [state, at] of reports) expect(await shop.report({ state, at })).toMatchObject({ status: 200 });
    expect(await disputesOf(shop)).toMatchObject([{ status }]);
    expect(await bookedOf(shop)).toEqual(booked);
    expect(await eventsOf(shop)).toEqual(events);
    const left = booked.reduce((sum, one) => sum + one, 0);
    expect(await orderOf(shop)).toMatchObject({ status: "paid", flags, amount_disputed_minor: left === 0 ? 0 : 9900 });
    expect((await casesOf(shop)).map((one) => one.status)).toEqual(cases);
    expect(await balanceOf(shop)).toBe(9900 + left);
    await booksBalance();
  });

  test("that is reported by ten concurrent callbacks is booked once", async () => {
    const shop = await open();
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => shop.report({ state: n % 2 === 0 ? "opened" : "lost", at: n % 2 === 0 ? 1 : 2 })),
    );
    expect(await disputesOf(shop)).toMatchObject([{ status: "lost" }]);
    expect(await bookedOf(shop)).toEqual([-9900]);
    await booksBalance();
  });

  test("of a part, and another of the rest, are counted together, and one that is won frees its part", async () => {
    const shop = await open();
    await shop.report({ at: 1, amount: { amount_minor: 4000, currency: "CNY" } });
    await shop.report({ at: 1, providerDisputeId: "dp_rest", amount: { amount_minor: 5000, currency: "CNY" } });
    expect(await orderOf(shop)).toMatchObject({ amount_disputed_minor: 9000, flags: ["disputed"] });
    await shop.report({ at: 2, providerDisputeId: "dp_rest", state: "won", amount: { amount_minor: 5000, currency: "CNY" } });
    expect(await orderOf(shop)).toMatchObject({ amount_disputed_minor: 4000, flags: ["disputed"] });
    await booksBalance();
  });

  test("whose amount changes returns what it took and takes the new amount", async () => {
    const shop = await open();
    await shop.report({ at: 1 });
    await shop.report({ at: 2, amount: { amount_minor: 3000, currency: "CNY" } });
    expect(await bookedOf(shop)).toEqual([-9900, 9900, -3000]);
    expect(await orderOf(shop)).toMatchObject({ amount_disputed_minor: 3000 });
    expect((await auditsOf(shop)).at(-1)).toEqual({ action: "dispute.updated" });
    await booksBalance();
  });

  test("with a fee books it, and returns it if the provider does", async () => {
    const shop = await open();
    await shop.report({ at: 1 });
    await shop.report({ at: 2, fee: { amount_minor: 150, currency: "CNY" } });
    await shop.report({ at: 3, fee: { amount_minor: 150, currency: "CNY" } });
    expect(await bookedOf(shop)).toEqual([-9900, -150]);
    await shop.report({ at: 4, state: "won", fee: null });
    expect(await bookedOf(shop)).toEqual([-9900, -150, 9900, 150]);
    expect(await disputesOf(shop)).toMatchObject([{ fee_minor: null, fee_transaction_id: null }]);
    await booksBalance();
  });
});
