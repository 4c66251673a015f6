import { describe, expect, test } from "vitest";
import { CredentialsInvalid, type GatewayAmount, GatewayError, type SimulatedOutcome } from "#gateways/index.ts";
import { gatewayContract } from "#test/support/gateways/contract/gateway-contract.ts";
import { type GatewayShop, newReference } from "#test/support/gateways/contract/provider-shop.ts";
import { razorpay } from "./adapter.ts";
import { isSigned } from "./signature.ts";
import { razorpaySimulator } from "./simulator.ts";
import { facts } from "./testing/facts.ts";
import { openShop, paying, payingIn, rupees, withFeeOnTop } from "./testing/shop.ts";

gatewayContract({ adapter: razorpay, simulator: razorpaySimulator, ...facts });

const kindOf = async (promise: Promise<unknown>) =>
  promise.then(
    () => "none",
    (error: unknown) => (error instanceof GatewayError ? error.kind : String(error)),
  );
/** A call whose provider answers one address with something of the test's. */
const answering = ({ call }: Pick<GatewayShop, "call">, path: string, answer: () => Response): GatewayShop["call"] => ({
  ...call,
  fetch: async (input, init) => (String(input).includes(path) ? answer() : call.fetch(input, init)),
});
const refusing = (description: string, status = 400) =>
  Response.json({ error: { code: "BAD_REQUEST_ERROR", description, reason: "NA" } }, { status });

/** A call that keeps the bodies that it sends. */
function keepingBodies({ call }: Pick<GatewayShop, "call">): GatewayShop["call"] & { bodies: string[] } {
  const bodies: string[] = [];
  const fetch: typeof call.fetch = async (input, init) => {
    bodies.push(String(init?.body));
    return call.fetch(input, init);
  };
  return { ...call, fetch, bodies };
}

describe("credentials", () => {
  test.each([
    ["key_id", "rzp_live_1DP5mmOlF5G5ag", "wrong_environment"],
    ["key_id", "1DP5mmOlF5G5ag", "malformed"],
    ["key_secret", "too short", "malformed"],
    ["webhook_secret", "two\nlines", "malformed"],
    ["merchant_id", "seller@example.com", "malformed"],
  ])("of TEST with the %s %j are refused as %s", async (field, value, reason) => {
    const { fields } = await openShop();
    const open = () => razorpay.open({ ...fields, [field]: value }, { livemode: false });
    expect(open).toThrow(CredentialsInvalid);
    expect(open).toThrow(`${field}: ${reason}`);
  });

  test("of LIVE require a key of Live mode", async () => {
    const { fields } = await openShop();
    expect(() => razorpay.open(fields, { livemode: true })).toThrow("key_id: wrong_environment");
    expect(razorpay.open({ ...fields, key_id: "rzp_live_1DP5mmOlF5G5ag" }, { livemode: true }).id).toBe(`acc_${fields["merchant_id"]}`);
  });
});

// From razorpay-node, test/utils/razorpay-utils.spec.js.
const published = {
  body: '{"a":1,"b":2,"c":{"d":3}}',
  secret: "123456",
  signature: "2fe04e22977002e6c7cb553adab8b460cb9e2a4970d5953cb27a8472752e3bbc",
};

test("the signature that Razorpay published is accepted over its bytes, and over no others", () => {
  const { body, secret, signature } = published;
  expect(isSigned(Buffer.from(body), signature, secret)).toBe(true);
  expect(isSigned(Buffer.from('{"a": 1,"b":2,"c":{"d":3}}'), signature, secret)).toBe(false);
  expect(isSigned(Buffer.from(body), signature, "1234567")).toBe(false);
  for (const other of ["", signature.slice(2), `${signature}00`, signature.toUpperCase(), "z".repeat(64)])
    expect(isSigned(Buffer.from(body), other, secret)).toBe(false);
});

describe("a payment", () => {
  test.each([
    ["INR", 123_400, 123_400],
    ["JPY", 500, 500],
    ["KWD", 12_340, 12_340],
    ["USD", 1_999, 1_999],
  ])("of %s %i is requested as %i, and is read back unchanged", async (currency, amount_minor, wire) => {
    const shop = await openShop();
    const call = keepingBodies(shop);
    const paid = await payingIn({ ...shop, call }, ["paid"], { amount_minor, currency });
    expect(JSON.parse(call.bodies[0] ?? "")).toMatchObject({
      amount: wire,
      currency,
      accept_partial: false,
      reference_id: paid.payment.reference,
    });
    expect(await paid.query()).toMatchObject({ state: "succeeded", asked: { amount_minor, currency }, paid: { amount_minor, currency } });
  });

  test("of dinars whose last decimal isn't 0 is refused, and no request is sent", async () => {
    const { account, call, payment, requests } = await openShop();
    expect(await kindOf(account.create(call, payment({ amount_minor: 12_345, currency: "KWD" })))).toBe("invalid");
    expect(requests).toEqual([]);
  });

  test.each([
    ["rupees", rupees, { amount_minor: 2_913, currency: "INR" }],
    ["dollars, in rupees", { amount_minor: 1_999, currency: "USD" }, { amount_minor: 48, currency: "INR" }],
  ])("of %s reports Razorpay's fee, with its tax", async (_what, amount, fee) => {
    expect(await (await payingIn(await openShop(), ["paid"], amount)).query()).toMatchObject({ fee });
  });

  test.each<[string, SimulatedOutcome, string]>([
    ["in time", "paid", "paid captured"],
    ["after its link expired", "late", "expired captured"],
  ])("paid %s is paid with its own amount and has no fee if the buyer paid the fee on top", async (_when, outcome, providerState) => {
    const shop = await openShop();
    await withFeeOnTop(shop);
    const { query } = await payingIn(shop, [outcome]);
    expect(await query()).toMatchObject({ paid: rupees, fee: { amount_minor: 0, currency: "INR" }, providerState });
  });

  test.each([
    ["is in a minute", 60, 960],
    ["is in an hour", 3_600, 3_600],
    ["is in a year", 365 * 86_400, 15_552_000],
  ])("whose end %s is requested with an end that Razorpay accepts", async (_when, wanted, seconds) => {
    const { account, call, payment, world } = await openShop();
    const watched = keepingBodies({ call });
    await account.create(watched, payment(rupees, { expiresAt: new Date(world.now().getTime() + wanted * 1_000) }));
    expect(JSON.parse(watched.bodies[0] ?? "").expire_by).toBe(world.now().getTime() / 1_000 + seconds);
  });

  test("is found by its reference if Razorpay's id of it is unknown", async () => {
    const { account, call, key } = await paying("paid");
    expect(await account.query(call, { ...key, providerId: null })).toEqual(await account.query(call, key));
  });

  test.each<[string, SimulatedOutcome, GatewayAmount, string]>([
    ["over another amount", "declined", { ...rupees, amount_minor: 100 }, "conflict"],
    ["that was paid", "paid", rupees, "already_paid"],
    ["that was cancelled", "canceled", rupees, "conflict"],
  ])("isn't created again under the reference of one %s", async (_what, outcome, amount, kind) => {
    const { account, call, payment } = await paying(outcome);
    expect(await kindOf(account.create(call, { ...payment, amount }))).toBe(kind);
  });

  test("whose first try failed is open, and may yet be authorized and captured", async () => {
    const paid = await paying("declined");
    expect(await paid.query()).toMatchObject({
      state: "pending",
      paid: null,
      providerState: "created failed",
      failure: { code: "payment_declined" },
    });
    await paid.happen("processing");
    expect(await paid.query()).toMatchObject({ state: "processing", paid: null, failure: null });
    await paid.happen("paid");
    expect(await paid.query()).toMatchObject({ state: "succeeded", paid: rupees, failure: null });
  });

  test("whose bank confirms it after the link expired has succeeded, and a link that only expired hasn't", async () => {
    expect(await (await paying("expired")).query()).toMatchObject({ state: "expired", paid: null });
    expect(await (await paying("late")).query()).toMatchObject({ state: "succeeded", paid: rupees, providerState: "expired captured" });
  });

  test.each<[string, SimulatedOutcome[], object]>([
    ["on an open link", ["auto_refunded"], { state: "pending", providerState: "created refunded" }],
    ["after another try was authorized late", ["declined", "processing", "auto_refunded"], { state: "pending" }],
    ["on a link that expired", ["processing", "expired", "auto_refunded"], { state: "expired", providerState: "expired refunded" }],
    ["on a link that was cancelled", ["processing", "canceled", "auto_refunded"], { state: "canceled" }],
  ])("that Razorpay refunded without capturing it was never paid: %s", async (_when, happened, expected) => {
    const { account, call, key, query } = await paying(...happened);
    const nothing = { paid: null, captureId: null, refunded: null, fee: null, paidAt: null };
    expect(await query()).toMatchObject({ ...nothing, failure: { code: "auto_refunded" }, ...expected });
    expect(await account.close?.(call, key)).toBe("closed");
  });

  test("whose first try was refunded without capturing it can be paid by another, and refunding that one keeps it paid", async () => {
    const paid = await paying("auto_refunded", "paid");
    expect(await paid.query()).toMatchObject({ state: "succeeded", paid: rupees, refunded: { ...rupees, amount_minor: 0 }, failure: null });
    const { captureId } = await paid.query();
    const request = paid.refund({ ...paid.key, captureId }, rupees);
    await paid.account.refund(paid.call, request);
    await razorpaySimulator.simulateRefund(paid.world, { refundReference: request.refundReference, outcome: "succeeded" });
    expect(await paid.query()).toMatchObject({ state: "succeeded", paid: rupees, refunded: rupees, providerState: "paid refunded" });
  });

  test("that is paid is read from its captured payment, even if its link names another one first", async () => {
    const paid = await paying("auto_refunded", "paid");
    const { captureId, providerId } = await paid.query();
    const id = providerId ?? "";
    const stored = await paid.world.documents.get<{ payments: { id: string }[] }>("link", id);
    const payments = stored?.payments.map((payment) => ({ payment_id: payment.id }));
    const amount = rupees.amount_minor;
    const link = { id, status: "paid", currency: "INR", amount, amount_paid: amount, order_id: id.replace("plink", "order"), payments };
    const call = answering(paid, "/v1/payment_links/", () => Response.json(link));
    expect(await paid.account.query(call, paid.key)).toMatchObject({ state: "succeeded", captureId, paid: rupees });
  });

  test.each<[string, SimulatedOutcome[], string]>([
    ["is open", [], "closed"],
    ["failed to be paid", ["declined"], "closed"],
    ["expired", ["expired"], "closed"],
    ["was cancelled", ["canceled"], "closed"],
    ["waits for its bank", ["processing"], "already_paid"],
    ["was paid after its end", ["late"], "already_paid"],
    ["is paid", ["paid"], "already_paid"],
  ])("that %s is closed according to its state", async (_what, happened, expected) => {
    const { account, call, key } = await paying(...happened);
    expect(await account.close?.(call, key)).toBe(expected);
    expect(await account.close?.(call, { ...key, providerId: null })).toBe(expected);
  });

  test("whose link ended isn't read as unpaid from a response that doesn't list its payments", async () => {
    const paid = await paying("late");
    const call = answering(paid, "/v1/orders/", () => Response.json({ entity: "collection", count: 1 }));
    await expect(paid.account.query(call, paid.key)).rejects.toMatchObject({ kind: "unavailable", code: "malformed_answer" });
  });

  test("that Razorpay doesn't know is absent", async () => {
    const { account, call } = await openShop();
    for (const providerId of [null, "plink_ExjpAUN3gVHrPJ"])
      expect(await account.close?.(call, { reference: newReference("ps"), providerId })).toBe("absent");
  });

  test.each([
    ["nothing", {}],
    ["an unknown state", { id: "plink_1", status: "melted", currency: "INR", amount: 1 }],
    ["a state of its own kind", { id: "plink_1", status: "constructor" }],
    ["no id", { status: "created" }],
    ["paid, but with nothing", { id: "plink_1", status: "paid", currency: "INR", amount_paid: 100 }],
    ["a list in place of a state", { id: "plink_1", status: ["created"] }],
  ])("is never read from a response with %s", async (_what, link) => {
    const shop = await openShop();
    const call = answering(shop, "/payment_links", () => Response.json(link));
    const query = shop.account.query(call, { reference: newReference("ps"), providerId: "plink_1" });
    await expect(query).rejects.toMatchObject({ kind: "unavailable", code: "malformed_answer" });
  });

  test.each([[-100], [1.5], ["100"], [1e300], [null]])("is never read from a paid amount of %j", async (amount_paid) => {
    const paid = await paying("paid");
    const payments = [{ payment_id: (await paid.query()).captureId }];
    const link = { id: "plink_1", status: "paid", currency: "INR", amount: 100, amount_paid, payments };
    const call = answering(paid, "/payment_links", () => Response.json(link));
    await expect(paid.account.query(call, paid.key)).rejects.toMatchObject({ code: "malformed_answer" });
  });
});

describe("a refusal by Razorpay", () => {
  test.each([
    [401, "The api key provided is invalid", "auth"],
    [400, "The id provided does not exist", "not_found"],
    [400, "The refund amount provided is greater than amount captured", "declined"],
    [400, "Your account does not have enough balance to carry out the refund operation.", "declined"],
    [400, "Different request with the same idempotency key has already been processed.", "conflict"],
    [400, "Duplicate receipt found for this refund request.", "conflict"],
    [400, "Refund has already been processed.", "conflict"],
    [400, "The payment has been fully refunded already.", "conflict"],
    [400, "The payment status should be captured for action to be taken.", "conflict"],
    [400, "Request failed because another payment operation is in progress.", "rate_limited"],
    [400, "Another payout operation for merchant is in progress. Please try again later.", "rate_limited"],
    [409, "A request with the same idempotency key is being processed", "unknown_outcome"],
    [429, "Too many requests", "rate_limited"],
    [400, "notes is invalid", "invalid"],
    [502, "", "unknown_outcome"],
  ])("of status %i with %j is reported as %s, without a secret", async (status, description, kind) => {
    const shop = await paying("paid");
    const { captureId } = await shop.query();
    const call = answering(shop, "/refund", () => refusing(description, status));
    const refund = shop.account.refund(call, shop.refund({ ...shop.key, captureId }, rupees));
    const error = await refund.catch((fault: unknown) => fault);
    expect(error).toMatchObject({ kind });
    expect(JSON.stringify([error, String(error)])).not.toContain(shop.fields["key_secret"]);
  });
});
