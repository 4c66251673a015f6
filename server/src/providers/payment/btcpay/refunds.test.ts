import { beforeEach, expect, test } from "vitest";
import { type GatewayAccount, type GatewayCall, GatewayError } from "#gateways/index.ts";
import { type SimulatedWorld, simulatedWorld } from "#test/support/gateways/simulated/simulated-world.ts";
import { btcpay } from "./adapter.ts";
import type { SimulatedInvoice, SimulatedPullPayment } from "./simulator/store.ts";
import { btcpaySimulator as simulator } from "./simulator.ts";

const amount = { amount_minor: 1_234, currency: "EUR" };
const reference = "ps_00000000000000000000000001";
let world: SimulatedWorld;
let account: GatewayAccount;
let call: GatewayCall;

const pay = async (of: string) => {
  await account.create(call, {
    reference: of,
    amount,
    title: "Tea",
    notifyUrl: "https://shop.test/hook",
    returnUrl: "https://shop.test/pay/token",
    cancelUrl: "https://shop.test/pay/token",
    expiresAt: new Date(world.now().getTime() + 3_600_000),
    buyer: { ip: null, locale: "en", device: "desktop", openid: null },
    metadata: {},
  });
  await simulator.simulate(world, { reference: of, outcome: "paid" });
};
beforeEach(async () => {
  world = simulatedWorld();
  account = btcpay.open(await simulator.openAccount(world, "shop"), { livemode: false });
  call = world.call(simulator);
  await pay(reference);
});
const refund = (refundReference: string, amountMinor: number, of = reference) => {
  const given = {
    reference: of,
    providerId: null,
    captureId: null,
    refundReference,
    total: amount,
    reason: "Too <small> & late",
    notifyUrl: "",
  };
  return account.refund(call, { ...given, amount: { ...amount, amount_minor: amountMinor } });
};
const ask = (refundReference: string, providerRefundId: string | null = null) =>
  account.queryRefund(call, { reference, providerId: null, captureId: null, refundReference, providerRefundId });
const pullPayments = () => world.documents.list<SimulatedPullPayment>("pullPayment");
const change = async (over: Partial<SimulatedPullPayment>) => {
  const [first] = await pullPayments();
  if (first === undefined) throw new Error("no pull payment");
  await world.documents.put("pullPayment", first.id, { ...first, ...over });
};
const errorOf = async (promise: Promise<unknown>): Promise<GatewayError> => {
  const error = await promise.then(
    () => null,
    (one: unknown) => one,
  );
  expect(error).toBeInstanceOf(GatewayError);
  return error as GatewayError;
};

test("isn't made while a pull payment on the server's list can't be read: it may be this one", async () => {
  const fetch: typeof call.fetch = async (input, init) => {
    const answer = await call.fetch(input, init);
    return String(input).includes("/pull-payments?") ? Response.json([{ name: "rf_1" }]) : answer;
  };
  const given = {
    reference,
    providerId: null,
    captureId: null,
    refundReference: "rf_1",
    total: amount,
    amount,
    reason: null,
    notifyUrl: "",
  };
  expect(await errorOf(account.refund({ ...call, fetch }, given))).toMatchObject({ kind: "unavailable", code: "malformed_answer" });
  expect(await pullPayments()).toEqual([]);
});

test("a refund waits for the buyer at a page of the server, and has succeeded once it was paid out", async () => {
  const made = await refund("rf_1", 300);
  expect(made).toMatchObject({ state: "requires_action", refundReference: "rf_1", amount: { ...amount, amount_minor: 300 } });
  expect(made.claimUrl).toBe(`${world.origin}/pull-payments/${made.providerRefundId}`);
  await change({ payouts: [{ id: "po", amount: 30_000, state: "AwaitingApproval", at: 1 }] });
  expect(await ask("rf_1", made.providerRefundId)).toMatchObject({ state: "pending", claimUrl: null });
  await change({ payouts: [{ id: "po", amount: 30_000, state: "Completed", at: 1 }] });
  expect(await ask("rf_1", made.providerRefundId)).toMatchObject({ state: "succeeded" });
  expect(await ask("rf_1")).toMatchObject({ state: "succeeded", providerRefundId: made.providerRefundId });
});

test.each<[string, Partial<SimulatedPullPayment>, Record<string, unknown>]>([
  ["archived before it was claimed", { isArchived: true }, { state: "failed", failure: { code: "archived" } }],
  [
    "archived after a part was paid out",
    { isArchived: true, payouts: [{ id: "po", amount: 10_000, state: "Completed", at: 1 }] },
    { state: "succeeded", amount: { ...amount, amount_minor: 100 } },
  ],
  ["claimed, and the claim canceled", { payouts: [{ id: "po", amount: 30_000, state: "Cancelled", at: 1 }] }, { state: "requires_action" }],
])("a refund that was %s is reported as that", async (_what, over, expected) => {
  await refund("rf_1", 300);
  await change(over);
  expect(await ask("rf_1")).toMatchObject(expected);
});

test("a refund that is requested again is the same one, also after it was archived, and another amount is refused", async () => {
  const first = await refund("rf_1", 300);
  await change({ isArchived: true });
  expect(await refund("rf_1", 300)).toMatchObject({ providerRefundId: first.providerRefundId, state: "failed" });
  expect(await errorOf(refund("rf_1", 301))).toMatchObject({ kind: "conflict", code: "other_amount" });
  expect(await pullPayments()).toHaveLength(1);
});

test("refunds of one payment never add up to more than was paid; those of others and failed ones don't count", async () => {
  const other = "ps_00000000000000000000000002";
  await pay(other);
  await refund("rf_1", 1_000);
  await refund("rf_2", 1_000, other);
  expect(await errorOf(refund("rf_3", 300))).toMatchObject({ kind: "declined", code: "refund_exceeds_paid" });
  await change({ isArchived: true });
  expect(await refund("rf_3", 1_234)).toMatchObject({ state: "requires_action" });
});

test("coins that were spent elsewhere after the payment settled aren't paid back", async () => {
  const [invoice] = await world.documents.list<SimulatedInvoice>("invoice");
  if (invoice === undefined) throw new Error("no invoice");
  const [payment] = invoice.payments;
  if (payment === undefined) throw new Error("no payment");
  const spent = { ...payment, id: "spent", value: 60_000, status: "Invalid" } as const;
  await world.documents.put("invoice", invoice.id, { ...invoice, payments: [{ ...payment, value: payment.value - 60_000 }, spent] });
  expect(await errorOf(refund("rf_1", 1_234))).toMatchObject({ kind: "declined", code: "refund_exceeds_paid" });
  expect(await pullPayments()).toEqual([]);
  expect(await refund("rf_2", 634)).toMatchObject({ state: "requires_action" });
});

test("a refund waits while more coins on the same invoice aren't confirmed, and isn't refused", async () => {
  const [invoice] = await world.documents.list<SimulatedInvoice>("invoice");
  if (invoice === undefined) throw new Error("no invoice");
  const [payment] = invoice.payments;
  if (payment === undefined) throw new Error("no payment");
  const more = (status: "Processing" | "Settled" | "Invalid") => {
    const payments = [payment, { ...payment, id: "more", value: 60_000, status }];
    return world.documents.put("invoice", invoice.id, { ...invoice, exception: status === "Invalid" ? "None" : "PaidOver", payments });
  };
  await more("Processing");
  for (const name of ["rf_1", "rf_1"])
    expect(await errorOf(refund(name, 1_234))).toMatchObject({ kind: "rate_limited", isBusy: true, retryAfter: 600 });
  expect(await pullPayments()).toEqual([]);
  await more("Invalid");
  expect(await refund("rf_1", 1_234)).toMatchObject({ state: "requires_action" });
  await more("Settled");
  expect(await errorOf(refund("rf_2", 600))).toMatchObject({ kind: "declined", code: "refund_exceeds_paid" });
});

/** Two pull payments of one refund: the server was still working when the connection was lost, and the request was repeated. */
async function refundTwice(amountMinor: number) {
  const working: (() => Promise<Response>)[] = [];
  const fetch: typeof call.fetch = async (input, init) => {
    if (init?.method !== "POST" || working.length > 0) return call.fetch(input, init);
    working.push(() => call.fetch(input, init));
    throw new TypeError("fetch failed");
  };
  const given = { reference, providerId: null, captureId: null, refundReference: "rf_1", total: amount, reason: null, notifyUrl: "" };
  const ask = () => account.refund({ ...call, fetch }, { ...given, amount: { ...amount, amount_minor: amountMinor } });
  expect(await errorOf(ask())).toMatchObject({ kind: "unknown_outcome" });
  const made = await ask();
  await working[0]?.();
  expect((await pullPayments()).map(({ name, isArchived }) => [name, isArchived])).toEqual([
    ["rf_1", false],
    ["rf_1", false],
  ]);
  return made;
}
const open = async () => (await pullPayments()).filter(({ isArchived }) => !isArchived).map(({ id }) => id);

test("a refund that was created twice counts once, and the rest of the payment can be refunded", async () => {
  await refundTwice(700);
  expect(await refund("rf_2", 534)).toMatchObject({ state: "requires_action" });
  expect(await errorOf(refund("rf_3", 1))).toMatchObject({ code: "refund_exceeds_paid" });
});

test.each([
  ["queried by its id, keeps the one that its buyer was sent to", (id: string) => id],
  ["queried by its name, keeps the one that was claimed", () => null],
])("a refund that was created twice and is %s, and the other one can't be claimed", async (_what, idOf) => {
  const made = await refundTwice(700);
  const kept = (await pullPayments()).find(({ id }) => id === made.providerRefundId);
  if (kept === undefined) throw new Error("no pull payment");
  await world.documents.put("pullPayment", kept.id, { ...kept, payouts: [{ id: "po", amount: 70_000, state: "Completed", at: 1 }] });
  expect(await ask("rf_1", idOf(kept.id))).toMatchObject({ state: "succeeded", providerRefundId: kept.id });
  expect(await open()).toEqual([kept.id]);
});

test("a refund that was created twice is one when it's requested again, also without permission to archive the other", async () => {
  await refundTwice(700);
  const allowed = call;
  const refusal = () => Response.json({ code: "missing-permission", message: "no" }, { status: 403 });
  const fetch: typeof call.fetch = async (input, init) => (init?.method === "DELETE" ? refusal() : allowed.fetch(input, init));
  call = { ...call, fetch };
  const kept = await refund("rf_1", 700);
  expect(await open()).toHaveLength(2);
  call = allowed;
  expect(await refund("rf_1", 700)).toMatchObject({ providerRefundId: kept.providerRefundId });
  expect(await open()).toEqual([kept.providerRefundId]);
});

test("another pull payment of the refund that someone claimed from isn't archived, and what it pays out counts", async () => {
  const made = await refundTwice(700);
  const other = (await pullPayments()).find(({ id }) => id !== made.providerRefundId);
  if (other === undefined) throw new Error("no other pull payment");
  const claim = (state: "AwaitingApproval" | "Completed", of: SimulatedPullPayment) =>
    world.documents.put("pullPayment", of.id, { ...of, payouts: [{ id: `po_${of.id}`, amount: of.amount, state, at: 1 }] });
  await claim("AwaitingApproval", other);
  expect(await ask("rf_1", made.providerRefundId)).toMatchObject({ state: "requires_action" });
  expect(await open()).toHaveLength(2);
  for (const one of await pullPayments()) await claim("Completed", one);
  expect(await errorOf(refund("rf_2", 1))).toMatchObject({ code: "refund_exceeds_paid" });
});

/** A refund that a person makes in the server: without our reference, and named after the invoice. */
async function makeByHand(id: string, over: Partial<SimulatedPullPayment> = {}) {
  const [invoice] = await world.documents.list<SimulatedInvoice>("invoice");
  if (invoice === undefined) throw new Error("no invoice");
  const { storeId, currency, createdAt: startsAt } = invoice;
  const made = { ...{ id, storeId, name: `Refund ${invoice.id}`, description: "", currency }, amount: 100_000, startsAt };
  await world.documents.put("pullPayment", id, { ...made, isArchived: false, payouts: [], ...over });
}

test("a refund that a person made there counts before it is claimed: no two pages pay out more than was paid", async () => {
  await makeByHand("byHand");
  expect(await errorOf(refund("rf_1", 300))).toMatchObject({ kind: "declined", code: "refund_exceeds_paid" });
  await makeByHand("byHand", { isArchived: true });
  expect(await refund("rf_1", 300)).toMatchObject({ state: "requires_action" });
});

test("a refund in coins that a person made there can be of any part, so nothing else is refunded unless it was archived unclaimed", async () => {
  const inCoins = (over: Partial<SimulatedPullPayment>) => makeByHand("byHand", { currency: "BTC", amount: 1, ...over });
  const payouts: SimulatedPullPayment["payouts"] = [{ id: "po", amount: 1, state: "Completed", at: 1 }];
  for (const over of [{}, { payouts }, { payouts, isArchived: true }]) {
    await inCoins(over);
    expect(await errorOf(refund("rf_1", 300))).toMatchObject({ kind: "declined", code: "refund_in_coins" });
  }
  await inCoins({ isArchived: true });
  expect(await refund("rf_1", 300)).toMatchObject({ state: "requires_action" });
});

test("a refund that a person made there is found by its id, and others of its name can still be claimed", async () => {
  const payouts: SimulatedPullPayment["payouts"] = [{ id: "po", amount: 100_000, state: "Completed", at: 1 }];
  await makeByHand("byHand", { payouts });
  await makeByHand("another");
  const found = { state: "succeeded", refundReference: null, providerRefundId: "byHand", amount: { ...amount, amount_minor: 1_000 } };
  expect(await ask("", "byHand")).toMatchObject(found);
  expect(await open()).toEqual(["byHand", "another"]);
});

test("a reason is text on the page of the claim, and the refund identifies its payment", async () => {
  await refund("rf_1", 300);
  expect((await pullPayments())[0]).toMatchObject({ name: "rf_1", description: `Too &lt;small&gt; &amp; late (${reference})` });
});

test("a refund of a missing payment, and one under the id of another, aren't reported", async () => {
  expect(await errorOf(refund("rf_1", 300, "ps_00000000000000000000000003"))).toMatchObject({ kind: "not_found" });
  const made = await refund("rf_1", 300);
  expect(await errorOf(ask("rf_2", made.providerRefundId))).toMatchObject({ kind: "unavailable", code: "malformed_answer" });
  expect(await errorOf(ask("rf_2", "unknown"))).toMatchObject({ kind: "not_found", code: "pullpayment-not-found" });
});
