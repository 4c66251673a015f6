import { describe, expect, test } from "vitest";
import { CredentialsInvalid, type GatewayAmount, GatewayError, type SimulatedOutcome } from "#gateways/index.ts";
import { gatewayContract } from "#test/support/gateways/contract/gateway-contract.ts";
import { type GatewayShop, newReference, openGatewayShop } from "#test/support/gateways/contract/provider-shop.ts";
import { paypal } from "./adapter.ts";
import { paypalSimulator } from "./simulator.ts";
import { facts } from "./testing/facts.ts";

const euros: GatewayAmount = { amount_minor: 1_234, currency: "EUR" };

gatewayContract({ adapter: paypal, simulator: paypalSimulator, ...facts });

const openShop = () => openGatewayShop(paypal, paypalSimulator);

/** A payment to which things happened; `capture` takes it. */
async function payingIn(shop: GatewayShop, happened: SimulatedOutcome[], amount = euros) {
  const payment = shop.payment(amount);
  const { reference } = payment;
  const created = await shop.account.create(shop.call, payment);
  const key = { reference, providerId: created.providerId };
  const happen = (outcome: SimulatedOutcome) => paypalSimulator.simulate(shop.world, { reference, outcome });
  for (const outcome of happened) await happen(outcome);
  return {
    ...shop,
    payment,
    created,
    key,
    happen,
    capture: async () => shop.account.capture?.(shop.call, key),
    query: () => shop.account.query(shop.call, key),
  };
}
const paying = async (...happened: SimulatedOutcome[]) => payingIn(await openShop(), happened);
const errorOf = async (promise: Promise<unknown>): Promise<GatewayError> => {
  const error = await promise.then(
    () => null,
    (fault: unknown) => fault,
  );
  expect(error).toBeInstanceOf(GatewayError);
  return error as GatewayError;
};

describe("credentials", () => {
  test.each([
    ["client_id", "short"],
    ["client_secret", "with a space in the middle of it"],
    ["webhook_id", "WEBHOOK_ID"],
    ["webhook_id", "https://shop.test/callbacks"],
    ["merchant_id", "seller@example.com"],
  ])("with the %s %j are refused", async (field, value) => {
    const { fields } = await openShop();
    const open = () => paypal.open({ ...fields, [field]: value }, { livemode: true });
    expect(open).toThrow(CredentialsInvalid);
    expect(open).toThrow(`${field}: malformed`);
  });

  test("open an account without the merchant's ID, and may have spaces around them", async () => {
    const { fields } = await openShop();
    const { merchant_id, ...others } = fields;
    expect(paypal.open(others, { livemode: false }).id).toBeNull();
    expect(paypal.open({ ...fields, merchant_id: ` ${merchant_id}\n` }, { livemode: false }).id).toBe(merchant_id);
  });
});

describe("an access token", () => {
  const tokensOf = ({ requests }: Pick<GatewayShop, "requests">) => requests.filter((line) => line.endsWith("/oauth2/token")).length;

  test("is used until a minute before its end", async () => {
    const paid = await paying();
    await paid.query();
    expect(tokensOf(paid)).toBe(1);
    paid.world.pass(32_400 - 61);
    await paid.query().catch(() => undefined);
    expect(tokensOf(paid)).toBe(1);
    paid.world.pass(2);
    await paid.query().catch(() => undefined);
    expect(tokensOf(paid)).toBe(2);
  });

  test("that was revoked is replaced once, and the refused request is repeated", async () => {
    const paid = await paying();
    paid.call.cache.set("token", "withdrawn", 1_000);
    expect((await paid.query()).state).toBe("pending");
    expect(tokensOf(paid)).toBe(2);
  });

  test("that PayPal refuses however new it is counts as wrong credentials, without a secret in the error", async () => {
    const { account, call, fields } = await openShop();
    const fetch: typeof call.fetch = async (input, init) => {
      const { url } = new Request(input, init);
      return url.endsWith("/token")
        ? Response.json({ access_token: "t0ken", expires_in: 9 })
        : Response.json({ error: "invalid_token" }, { status: 401 });
    };
    const error = await errorOf(account.query({ ...call, fetch }, { reference: newReference("ps"), providerId: "5O190127TN364715T" }));
    expect(error).toMatchObject({ kind: "auth", code: "invalid_token" });
    const text = JSON.stringify([error, error.message, error.stack]);
    for (const secret of [fields["client_secret"], "t0ken"]) expect(text).not.toContain(secret);
  });
});

describe("an amount", () => {
  test.each([
    ["EUR", 1_234, "12.34"],
    ["EUR", 1, "0.01"],
    ["JPY", 500, "500"],
    ["HUF", 150_000, "1500"],
    ["TWD", 99_900, "999"],
  ])("of %s %i is written as %s, and is read back unchanged", async (currency, amount_minor, written) => {
    const shop = await openShop();
    const bodies: string[] = [];
    const fetch: typeof shop.call.fetch = async (input, init) => {
      bodies.push(String(init?.body));
      return shop.call.fetch(input, init);
    };
    const paid = await payingIn({ ...shop, call: { ...shop.call, fetch } }, ["paid"], { amount_minor, currency });
    expect(bodies.at(1)).toContain(`"amount":{"currency_code":"${currency}","value":"${written}"}`);
    expect(await paid.capture()).toMatchObject({ asked: { amount_minor, currency }, paid: { amount_minor, currency } });
  });

  test.each([
    ["HUF", 150_050],
    ["TWD", 99],
  ])("of %s %i is refused, because PayPal allows no decimals there, and no request is sent", async (currency, amount_minor) => {
    const shop = await openShop();
    expect((await errorOf(shop.account.create(shop.call, shop.payment({ amount_minor, currency })))).kind).toBe("invalid");
    expect(shop.requests).toEqual([]);
  });
});

describe("a payment", () => {
  test("is captured once, however often that is requested, and reports PayPal's fee", async () => {
    const paid = await paying("paid");
    expect(await paid.query()).toMatchObject({ state: "processing", paid: null });
    const first = await paid.capture();
    expect(first).toMatchObject({
      state: "succeeded",
      paid: euros,
      fee: { amount_minor: 92, currency: "EUR" },
      account: paid.fields["merchant_id"],
    });
    expect(await paid.capture()).toEqual(first);
    expect(await paid.query()).toEqual(first);
  });

  test("that wasn't approved isn't captured", async () => {
    expect(await (await paying()).capture()).toMatchObject({ state: "pending", paid: null, failure: null });
  });

  test("whose card is declined can still be paid by the buyer with another card", async () => {
    const paid = await paying("declined");
    expect(await paid.capture()).toMatchObject({ state: "pending", failure: { code: "INSTRUMENT_DECLINED" } });
    await paid.happen("paid");
    expect(await paid.capture()).toMatchObject({ state: "succeeded", paid: euros, failure: null });
  });

  test.each([
    ["paid", "succeeded", euros],
    ["declined", "failed", null],
  ] as const)("by bank transfer is processing until it is %s", async (outcome, state, amount) => {
    const paid = await paying("processing");
    expect(await paid.capture()).toMatchObject({ state: "processing", paid: null, providerState: "COMPLETED PENDING ECHECK" });
    await paid.happen(outcome);
    expect(await paid.query()).toMatchObject({ state, paid: amount });
  });

  test("created again after six hours can't be paid a second time", async () => {
    const paid = await paying("paid");
    await paid.capture();
    paid.world.pass(6 * 3_600 + 1);
    const again = await paid.account.create(paid.call, paid.payment);
    expect(again.providerId).not.toBe(paid.created.providerId);
    await paid.happen("paid");
    const key = { reference: paid.payment.reference, providerId: again.providerId };
    expect((await errorOf(paid.account.capture?.(paid.call, key) ?? Promise.resolve())).kind).toBe("already_paid");
  });

  test("created again once the buyer approved it leaves the buyer nothing to do", async () => {
    const paid = await paying("paid");
    expect((await errorOf(paid.account.create(paid.call, paid.payment))).kind).toBe("already_paid");
  });

  test("isn't found once PayPal dropped an unapproved order, after three hours, when its page is set to end", async () => {
    const shop = await openShop();
    const payment = shop.payment(euros, { expiresAt: new Date("2026-11-20T20:00:00Z") });
    const created = await shop.account.create(shop.call, payment);
    expect(created.actionExpiresAt).toEqual(new Date("2026-11-20T11:00:00Z"));
    shop.world.pass(3 * 3_600 + 1);
    const error = await errorOf(shop.account.query(shop.call, { reference: payment.reference, providerId: created.providerId }));
    expect(error).toMatchObject({ kind: "not_found", code: "INVALID_RESOURCE_ID" });
  });

  test.each([
    ["TRANSACTION_REFUSED", "failed"],
    ["PAYER_CANNOT_PAY", "failed"],
    ["ORDER_COMPLETION_IN_PROGRESS", "processing"],
    ["REDIRECT_PAYER_FOR_ALTERNATE_FUNDING", "pending"],
  ])("whose capture PayPal answers with %s is %s", async (issue, state) => {
    const paid = await paying("paid");
    const fetch: typeof paid.call.fetch = async (input, init) =>
      String(input).endsWith("/capture")
        ? Response.json({ name: "UNPROCESSABLE_ENTITY", details: [{ issue }] }, { status: 422 })
        : paid.call.fetch(input, init);
    expect(await paid.account.capture?.({ ...paid.call, fetch }, paid.key)).toMatchObject({ state, paid: null });
  });

  test("that the merchant's own account can't take is an error, not a failure of the payment", async () => {
    const paid = await paying("paid");
    const fetch: typeof paid.call.fetch = async (input, init) =>
      String(input).endsWith("/capture")
        ? Response.json({ details: [{ issue: "PAYEE_ACCOUNT_RESTRICTED" }] }, { status: 422 })
        : paid.call.fetch(input, init);
    expect((await errorOf(paid.account.capture?.({ ...paid.call, fetch }, paid.key) ?? Promise.resolve())).kind).toBe("declined");
  });

  test.each([
    ["nothing", {}],
    ["an unknown state", { id: "5O1", status: "MELTED" }],
    ["a state of its own kind", { id: "5O1", status: "__proto__" }],
    ["no id", { status: "APPROVED" }],
    ["no capture where it says completed", { id: "5O1", status: "COMPLETED", purchase_units: [{}] }],
    ["an amount that is no number", completed({ currency_code: "EUR", value: "12,34" })],
    ["a negative amount", completed({ currency_code: "EUR", value: "-12.34" })],
    ["an amount with an exponent", completed({ currency_code: "EUR", value: "1e3" })],
    ["an amount finer than its currency", completed({ currency_code: "EUR", value: "12.345" })],
    ["an unknown currency", completed({ currency_code: "ZZZ", value: "12.34" })],
    ["lists in place of objects", { id: ["5O1"], status: ["COMPLETED"], purchase_units: {} }],
  ])("is never read from a response with %s", async (_what, order) => {
    const { account, call } = await openShop();
    const fetch: typeof call.fetch = async (input, init) =>
      String(input).endsWith("/token") ? call.fetch(input, init) : Response.json(order);
    const error = await errorOf(account.query({ ...call, fetch }, { reference: newReference("ps"), providerId: "5O190127TN364715T" }));
    expect(error).toMatchObject({ kind: "unavailable", code: "malformed_answer" });
  });
});

function completed(amount: unknown): unknown {
  return { id: "5O1", status: "COMPLETED", purchase_units: [{ payments: { captures: [{ id: "3C6", status: "COMPLETED", amount }] } }] };
}
