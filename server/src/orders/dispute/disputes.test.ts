import { describe, expect, test } from "vitest";
import type { DisputeSnapshot } from "#gateways/index.ts";
import { auditLedger, listTransactions, listWallets } from "#ledger/index.ts";
import { auditBooks, createCallbackApplier, findFigures, findOrder, listOrderEvents } from "#orders/index.ts";
import { readBooks } from "#test/books.sql.ts";
import { disputeOf } from "#test/gateway-deeds.ts";
import { type GatewayShop, gatewayShop } from "#test/gateway-shop.ts";
import { house } from "#test/house.ts";
import { payingGateway } from "#test/paying-gateway.ts";
import { runStatement } from "#test/statement.sql.ts";
import { listExceptions } from "../exception/list-exceptions.ts";
import { resolveException } from "../exception/resolve-exception.ts";
import { failRefund } from "../refund/fail-refund.ts";
import { refundOrder } from "../refund/refund-order.ts";
import { reversePayment } from "../reverse/reverse-payment.ts";
import { listOrderDisputes } from "./list-disputes.ts";

const gateway = payingGateway();
const home = await house({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx } = home;

type State = DisputeSnapshot["state"];
type More = Partial<DisputeSnapshot> & { at: number };
interface Disputed extends GatewayShop {
  credential: string;
  order_id: string;
  session_id: string;
  /** Sends a callback of the dispute. */
  tell(more: More): Promise<{ status: number }>;
}

let made = 0;
/** An order of 99.00 that was paid through the gateway; `isPaid: false`: its payment is open. */
const open = async ({ isPaid = true } = {}): Promise<Disputed> => {
  const shop = await gatewayShop(home);
  const credential = await shop.account(`tp_${(made += 1)}`);
  const { order, session } = await shop.started();
  const send = ({ headers, payload }: ReturnType<typeof gateway.callback>) =>
    home.api().call("POST", `/api/payments/testpay/webhook/${credential}`, { headers, payload });
  if (isPaid) {
    gateway.pay(session.id);
    await send(gateway.callback(session.id));
  }
  const tell = (more: More) => send(gateway.callback(session.id, { told: { kind: "dispute", dispute: disputeOf(session.id, more) } }));
  return { ...shop, credential, order_id: order.id, session_id: session.id, tell };
};
const disputesOf = async ({ tenant, order_id }: Disputed) => (await listOrderDisputes(ctx, tenant, { order_id, limit: 10 })).rows;
const orderOf = async ({ tenant, order_id }: Disputed) => (await findOrder(ctx, tenant, order_id)).order;
const eventsOf = async ({ tenant, order_id }: Disputed) =>
  (await listOrderEvents(ctx, tenant, { order_id, limit: 100 })).rows.map(({ event }) => event).filter((event) => event.startsWith("dispute."));
const casesOf = async ({ tenant }: Disputed) => (await listExceptions(ctx, tenant, { limit: 20, filters: {} })).rows;
const bookedOf = async ({ tenant }: Disputed) =>
  ((await listTransactions(ctx, tenant, { limit: 20, filters: { type: ["adjustment", "fee", "reversal"] } }))?.data ?? [])
    .map(({ amount_minor }) => amount_minor)
    .reverse();
const balanceOf = async ({ tenant }: Disputed) => (await listWallets(ctx, tenant, { limit: 9 }))?.data[0]?.balance_minor;
const auditsOf = ({ tenant }: Disputed) =>
  runStatement<{ action: string }>(ctx.db, "select action from audit_log where project_id = ? and object_type = 'dispute' order by id", tenant.project_id);
const refusal = (attempt: Promise<unknown>) => attempt.then(() => null).catch((error) => ({ code: error.code, fields: error.extras?.fields }));
const booksBalance = async () => {
  expect(await auditBooks(ctx)).toEqual([]);
  expect((await auditLedger(ctx)).faults).toEqual([]);
};

describe("a dispute", () => {
  test("that is opened takes the money out of its wallet, flags the order, and tells the merchant in an event and a case", async () => {
    const shop = await open();
    expect(await shop.tell({ at: 1 })).toMatchObject({ status: 200 });
    expect(await orderOf(shop)).toMatchObject({ status: "paid", flags: ["disputed"], amount_received_minor: 9900, amount_disputed_minor: 9900 });
    const [dispute] = await disputesOf(shop);
    expect(dispute).toMatchObject({ status: "opened", amount_minor: 9900, reason: "fraudulent", in_books: true, payment_session_id: shop.session_id });
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
    told: readonly (readonly [State, number])[];
    status: State;
    /** What reached the wallet, in order. */
    booked: number[];
    events: string[];
    flags: string[];
    cases: string[];
  }
  const [opened, won, lost] = ["dispute.opened", "dispute.won", "dispute.lost"];
  const courses: Course[] = [
    { name: "asked about", told: [["inquiry", 1]], status: "inquiry", booked: [], events: [opened], flags: ["disputed"], cases: ["open"] },
    {
      name: "opened and won",
      told: [
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
      told: [
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
      told: [
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
      told: [
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
      told: [
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
      told: [
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
      told: [
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
      told: [
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
      told: [
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
      told: [
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
      told: [
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
      told: [
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
      told: [
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

  test.each(courses)("that is $name", async ({ told, status, booked, events, flags, cases }) => {
    const shop = await open();
    for (const [state, at] of told) expect(await shop.tell({ state, at })).toMatchObject({ status: 200 });
    expect(await disputesOf(shop)).toMatchObject([{ status }]);
    expect(await bookedOf(shop)).toEqual(booked);
    expect(await eventsOf(shop)).toEqual(events);
    const left = booked.reduce((sum, one) => sum + one, 0);
    expect(await orderOf(shop)).toMatchObject({ status: "paid", flags, amount_disputed_minor: left === 0 ? 0 : 9900 });
    expect((await casesOf(shop)).map((one) => one.status)).toEqual(cases);
    expect(await balanceOf(shop)).toBe(9900 + left);
    await booksBalance();
  });

  test("that is told by twenty callbacks at once is booked once", async () => {
    const shop = await open();
    await Promise.all(Array.from({ length: 20 }, (_, n) => shop.tell({ state: n % 2 === 0 ? "opened" : "lost", at: n % 2 === 0 ? 1 : 2 })));
    expect(await disputesOf(shop)).toMatchObject([{ status: "lost" }]);
    expect(await bookedOf(shop)).toEqual([-9900]);
    await booksBalance();
  });

  test("of a part, and another of the rest, are counted together, and one that is won frees its part", async () => {
    const shop = await open();
    await shop.tell({ at: 1, amount: { amount_minor: 4000, currency: "CNY" } });
    await shop.tell({ at: 1, providerDisputeId: "dp_rest", amount: { amount_minor: 5000, currency: "CNY" } });
    expect(await orderOf(shop)).toMatchObject({ amount_disputed_minor: 9000, flags: ["disputed"] });
    await shop.tell({ at: 2, providerDisputeId: "dp_rest", state: "won", amount: { amount_minor: 5000, currency: "CNY" } });
    expect(await orderOf(shop)).toMatchObject({ amount_disputed_minor: 4000, flags: ["disputed"] });
    await booksBalance();
  });

  test("whose amount changes gives back what it took and takes the new amount", async () => {
    const shop = await open();
    await shop.tell({ at: 1 });
    await shop.tell({ at: 2, amount: { amount_minor: 3000, currency: "CNY" } });
    expect(await bookedOf(shop)).toEqual([-9900, 9900, -3000]);
    expect(await orderOf(shop)).toMatchObject({ amount_disputed_minor: 3000 });
    expect((await auditsOf(shop)).at(-1)).toEqual({ action: "dispute.updated" });
    await booksBalance();
  });

  test("with a fee books it, and gives it back where the provider does", async () => {
    const shop = await open();
    await shop.tell({ at: 1 });
    await shop.tell({ at: 2, fee: { amount_minor: 150, currency: "CNY" } });
    await shop.tell({ at: 3, fee: { amount_minor: 150, currency: "CNY" } });
    expect(await bookedOf(shop)).toEqual([-9900, -150]);
    await shop.tell({ at: 4, state: "won", fee: null });
    expect(await bookedOf(shop)).toEqual([-9900, -150, 9900, 150]);
    expect(await disputesOf(shop)).toMatchObject([{ fee_minor: null, fee_transaction_id: null }]);
    await booksBalance();
  });
});

describe("a dispute that the books cannot follow is kept, and is a person's", () => {
  test("of an order that was refunded already: the provider took the money twice, and both are booked", async () => {
    const shop = await open();
    const refund = await refundOrder(ctx, shop.tenant, { method: "manual", order_id: shop.order_id, amount_minor: 9000 });
    await shop.tell({ at: 1 });
    expect(await orderOf(shop)).toMatchObject({ amount_refunded_minor: 9000, amount_disputed_minor: 900, flags: ["disputed"] });
    expect(await casesOf(shop)).toMatchObject([{ detail: { reason: "disputed", over_minor: 9000 } }]);
    expect(await balanceOf(shop)).toBe(-9000);
    await booksBalance();
    await failRefund(ctx, shop.tenant, { refund_id: refund.id, failure_code: "returned" });
    expect(await orderOf(shop)).toMatchObject({ amount_refunded_minor: 0, amount_disputed_minor: 9900 });
    await booksBalance();
  });

  test("above what was received", async () => {
    const shop = await open();
    await shop.tell({ at: 1, amount: { amount_minor: 12_000, currency: "CNY" } });
    expect(await orderOf(shop)).toMatchObject({ amount_disputed_minor: 9900 });
    expect(await bookedOf(shop)).toEqual([-12_000]);
    expect(await casesOf(shop)).toMatchObject([{ amount_minor: 12_000, detail: { over_minor: 2100 } }]);
    await booksBalance();
  });

  test("in another currency than the payment's", async () => {
    const shop = await open();
    await shop.tell({ at: 1, amount: { amount_minor: 1300, currency: "EUR" } });
    expect(await disputesOf(shop)).toMatchObject([{ status: "opened", in_books: false, transaction_id: null }]);
    expect(await bookedOf(shop)).toEqual([]);
    expect(await orderOf(shop)).toMatchObject({ flags: ["disputed"], amount_disputed_minor: 0 });
    expect(await casesOf(shop)).toMatchObject([{ kind: "mismatch", currency: "EUR", detail: { reason: "disputed", in_books: false } }]);
    await booksBalance();
  });

  test("of a payment with a reference of ours that is not here", async () => {
    const shop = await open();
    const reference = ctx.id("ps");
    await shop.tell({ at: 1, payment: { reference, providerId: null, captureId: null } });
    expect(await casesOf(shop)).toMatchObject([{ kind: "unmatched", order_id: null, amount_minor: 9900, detail: { reason: "disputed" } }]);
    await shop.tell({ at: 2, state: "won", payment: { reference, providerId: null, captureId: null } });
    expect(await casesOf(shop)).toMatchObject([{ status: "resolved", resolution: "released" }]);
    await booksBalance();
  });

  test("of a payment that the provider doesn't call paid", async () => {
    const shop = await open({ isPaid: false });
    await shop.tell({ at: 1 });
    expect(await disputesOf(shop)).toMatchObject([{ in_books: false }]);
    expect(await casesOf(shop)).toMatchObject([{ detail: { reason: "disputed", in_books: false } }]);
    await booksBalance();
  });
});

describe("a dispute of a payment", () => {
  test("whose end nobody told has the provider asked, and comes after the money", async () => {
    const shop = await open({ isPaid: false });
    gateway.pay(shop.session_id);
    await shop.tell({ at: 1 });
    expect(await orderOf(shop)).toMatchObject({ status: "paid", flags: ["disputed"], amount_disputed_minor: 9900 });
    await booksBalance();
  });

  test("that is named by its money alone is found, and waits where that isn't known yet", async () => {
    const shop = await open({ isPaid: false });
    const payment = { reference: null, providerId: null, captureId: `cap_${shop.session_id}` };
    await shop.tell({ at: 1, payment });
    expect(await disputesOf(shop)).toEqual([]);
    gateway.pay(shop.session_id);
    await home.api().call("POST", `/api/payments/testpay/webhook/${shop.credential}`, gateway.callback(shop.session_id));
    home.clock.advance(60_000);
    const applier = createCallbackApplier();
    for (let begun = 1; begun > 0; await applier.idle()) begun = await applier.run(ctx);
    await applier.finish(ctx);
    expect(await disputesOf(shop)).toMatchObject([{ status: "opened", in_books: true }]);
    await booksBalance();
  });

  test("that is told with the payment itself, as by providers that are asked, is the same", async () => {
    const shop = await open();
    const told = { kind: "ask", about: { reference: shop.session_id, providerId: null } } as const;
    const send = async () => {
      const { headers, payload } = gateway.callback(shop.session_id, { told });
      await home.api().call("POST", `/api/payments/testpay/webhook/${shop.credential}`, { headers, payload });
    };
    gateway.change(shop.session_id, { disputes: [disputeOf(shop.session_id, { at: 1 })] });
    await send();
    await send();
    expect(await bookedOf(shop)).toEqual([-9900]);
    gateway.change(shop.session_id, { disputes: [disputeOf(shop.session_id, { at: 2, state: "won" })] });
    await send();
    expect(await bookedOf(shop)).toEqual([-9900, 9900]);
    await booksBalance();
  });

  test("of another program in the same account changes nothing", async () => {
    const shop = await open();
    for (const payment of [
      { reference: "order-17", providerId: null, captureId: null },
      { reference: null, providerId: null, captureId: "cap_strange" },
    ])
      await shop.tell({ at: 1, payment, providerDisputeId: "dp_strange" });
    expect(await casesOf(shop)).toEqual([]);
    expect(await runStatement(ctx.db, "select from disputes where project_id = ?", shop.tenant.project_id)).toEqual([]);
  });

  test("on another account than the one that it was paid to is a person's, and takes nothing", async () => {
    const shop = await open();
    const key = `tp_${(made += 1)}`;
    const other = await shop.account(key);
    const told = { kind: "dispute", dispute: disputeOf(shop.session_id, { at: 1 }) } as const;
    const { headers, payload } = gateway.callback(shop.session_id, { told, secret: `secret of ${key}` });
    await home.api().call("POST", `/api/payments/testpay/webhook/${other}`, { headers, payload });
    expect(await bookedOf(shop)).toEqual([]);
    expect(await orderOf(shop)).toMatchObject({ flags: [] });
    expect(await casesOf(shop)).toMatchObject([{ kind: "unmatched", order_id: null }]);
  });
});

test("a forged callback of a dispute changes nothing but a stray", async () => {
  const shop = await open();
  const real = gateway.callback(shop.session_id, { told: { kind: "dispute", dispute: disputeOf(shop.session_id, { at: 1 }) } });
  const url = `/api/payments/testpay/webhook/${shop.credential}`;
  const before = await readBooks(ctx.db, shop.tenant);
  for (const forged of [
    { ...real, headers: { "content-type": "application/json" } },
    { ...real, payload: real.payload.replace("9900", "9901") },
    { ...real, payload: real.payload.replace("opened", "lost") },
    gateway.callback(shop.session_id, { told: { kind: "dispute", dispute: disputeOf(shop.session_id, { at: 1 }) }, secret: "secret of tp_0" }),
  ])
    expect(await home.api().call("POST", url, forged)).toMatchObject({ status: 401 });
  expect(await readBooks(ctx.db, shop.tenant)).toEqual(before);
  expect(await disputesOf(shop)).toEqual([]);
});

test("figures say what disputes took, and what came back, on the day on which it did", async () => {
  const shop = await open();
  const from = new Date(home.clock.now().getTime() - 86_400_000);
  await shop.tell({ at: 1 });
  home.clock.advance(86_400_000);
  await shop.tell({ at: 2, state: "won" });
  const figures = await findFigures(ctx, shop.tenant, { from, to: new Date(home.clock.now().getTime() + 1_000), time_zone: "UTC" });
  expect(figures.days.map(({ paid_minor, disputed_minor }) => [paid_minor, disputed_minor])).toEqual([
    [9900, 9900],
    [0, -9900],
  ]);
  expect(figures.channels).toMatchObject([{ gateway: "testpay", paid_minor: 9900, disputed_minor: 0 }]);
});

describe("while an order is disputed", () => {
  test("only what disputes left of it can be refunded, in the database as in the code", async () => {
    const shop = await open();
    await shop.tell({ at: 1, amount: { amount_minor: 6000, currency: "CNY" } });
    const { tenant, order_id } = shop;
    expect(await refusal(refundOrder(ctx, tenant, { method: "manual", order_id, amount_minor: 4000 }))).toEqual({
      code: "refund_exceeds_received",
      fields: { refundable_minor: 3900, currency: "CNY" },
    });
    const raise = `update orders set amount_refunded_minor = 4000 where id = '${order_id}'`;
    await expect(runStatement(ctx.db, raise)).rejects.toMatchObject({ constraint: "orders_disputes_of_received" });
    expect(await refundOrder(ctx, tenant, { method: "manual", order_id })).toMatchObject({ amount_minor: 3900 });
    await booksBalance();
  });

  test("a refund and a dispute at once never take more of the order than it received", async () => {
    for (let round = 0; round < 5; round += 1) {
      const shop = await open();
      const refunds = Array.from({ length: 4 }, () =>
        refusal(refundOrder(ctx, shop.tenant, { method: "manual", order_id: shop.order_id, amount_minor: 3000 })),
      );
      await Promise.all([...refunds, shop.tell({ at: 1, amount: { amount_minor: 5000, currency: "CNY" } })]);
      const order = await orderOf(shop);
      expect(order.amount_refunded_minor + order.amount_disputed_minor).toBeLessThanOrEqual(order.amount_received_minor);
      expect(await disputesOf(shop)).toHaveLength(1);
    }
    await booksBalance();
  });

  test("its payment is not reversed, and again is once the dispute was won", async () => {
    const shop = await open();
    await shop.tell({ at: 1 });
    const reversal = { order_id: shop.order_id, cause: "not_received", note: "slip" } as const;
    const [dispute] = await disputesOf(shop);
    expect(await refusal(reversePayment(ctx, shop.tenant, reversal))).toEqual({ code: "order_state_conflict", fields: { dispute_ids: [dispute?.id] } });
    await shop.tell({ at: 2, state: "won" });
    await reversePayment(ctx, shop.tenant, reversal);
    await booksBalance();
  });

  test("its case can be closed with a note, and stands for no money", async () => {
    const shop = await open();
    await shop.tell({ at: 1 });
    const exception_id = (await casesOf(shop))[0]?.id ?? "";
    for (const action of ["accept", "refund"] as const)
      expect(await refusal(resolveException(ctx, shop.tenant, { exception_id, action }))).toMatchObject({ code: "order_state_conflict" });
    expect(await resolveException(ctx, shop.tenant, { exception_id, action: "ignore", note: "answered" })).toMatchObject({ status: "resolved" });
    await shop.tell({ at: 2, state: "lost" });
    expect(await casesOf(shop)).toHaveLength(1);
    await booksBalance();
  });
});
