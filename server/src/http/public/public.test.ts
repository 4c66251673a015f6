import { describe, expect, test } from "vitest";
import { cancelOrder, createOrder, issuePaymentLink, listVouchers, revokePaymentLink, simulatePayment } from "#orders/index.ts";
import type { CallOptions } from "#test/support/app/api.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { fingerprintDatabase } from "#test/support/database/whole-database.sql.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";

const plenty = 1_000_000;
const app = await testApp({
  http: {
    perMinuteLinkReads: plenty,
    perMinuteLinkReadsPerAddress: plenty,
    perMinuteLinkInitiate: plenty,
    perHourLinkProofs: plenty,
    perMinuteUnauthenticated: plenty,
  },
});
const test_ = await payShop(app);
const live = await payShop(app, { livemode: true });
const unverified = await payShop(app, { livemode: true, verified: false });
const bare = await app.tenant();

interface Refusal extends CallOptions {
  name: string;
  status: number;
  code: string;
  /** The token of a link in the state that refuses; without it, of a fresh one. */
  token?: () => Promise<string>;
}

const made = async (shop: typeof test_) => (await shop.order()).token;
const paid = async () => {
  const { order, token } = await test_.order();
  await simulatePayment(app.ctx, test_.tenant, { order_id: order.id });
  return token;
};
const canceled = async () => {
  const { order, token } = await test_.order();
  await cancelOrder(app.ctx, test_.tenant, { order_id: order.id });
  return token;
};
const revoked = async () => {
  const { order, token } = await test_.order();
  await revokePaymentLink(app.ctx, test_.tenant, { order_id: order.id });
  return token;
};
const replaced = async () => {
  const { order, token } = await test_.order();
  await issuePaymentLink(app.ctx, test_.tenant, { order_id: order.id });
  return token;
};
const expired = async () => {
  const { token } = await test_.order({ expires_in: 300 });
  app.clock.advance(301_000);
  return token;
};
const inDollars = async () => (await test_.order({ currency: "USD" })).token;
const withoutCodes = async () => (await createOrder(app.ctx, bare, { amount_minor: 100, currency: "CNY" })).link?.token ?? "";
const unknown = async () => `pl_test_${"0".repeat(32)}`;
const gateway = { gateway: "wechatpay" };
const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };

const nowhere: Refusal = { name: "a link that never was", status: 404, code: "payment_link_not_found", token: unknown };
const unknownField: Refusal = {
  name: "an unknown field",
  status: 400,
  code: "parameter_unknown",
  body: { gateway: "wechatpay", colour: "blue" },
};
const noJson: Refusal = { name: "a body that is no JSON", status: 400, code: "invalid_json", payload: "{", headers: json };
const settled: Refusal = { name: "a paid order", status: 409, code: "order_already_paid", token: paid };
const ended: Refusal = { name: "a canceled order", status: 409, code: "order_state_conflict", token: canceled };

/** Tests in one table what a buyer's route refuses; each refusal leaves the database as it was. */
function refusals(route: string, good: CallOptions, rows: Refusal[]): void {
  describe(route, () => {
    test.each(rows)("refuses $name with $status $code, leaving nothing behind", async ({ status, code, token, name: _name, ...sent }) => {
      const [method = "", template = ""] = route.split(" ");
      const path = template.replace(":token", token === undefined ? await made(test_) : await token());
      const before = await fingerprintDatabase(app.ctx.db);
      const own = sent.body !== undefined || sent.payload !== undefined;
      const answer = await app.api().call(method, path, own ? sent : { ...good, ...sent });
      expect([answer.status, answer.body?.error?.code], answer.text).toEqual([status, code]);
      expect(await fingerprintDatabase(app.ctx.db)).toBe(before);
    });
  });
}

refusals("GET /api/public/pay/:token", {}, [nowhere]);
refusals("GET /api/public/pay/:token/events", {}, [nowhere]);
refusals("POST /api/public/pay/:token/initiate", { body: gateway }, [
  nowhere,
  unknownField,
  noJson,
  settled,
  ended,
  { name: "no gateway", status: 400, code: "parameter_missing", body: {} },
  { name: "the profile's name for a gateway", status: 400, code: "parameter_invalid", body: { gateway: "wechat" } },
  { name: "a currency that wallets do not pay", status: 400, code: "unsupported_currency", token: inDollars },
  { name: "LIVE money of an unverified merchant", status: 403, code: "merchant_not_verified", token: () => made(unverified) },
  { name: "a project without receiving codes", status: 409, code: "collection_profile_missing", token: withoutCodes },
  { name: "a link past its time", status: 410, code: "payment_link_expired", token: expired },
  { name: "a link that was revoked", status: 410, code: "payment_link_revoked", token: revoked },
  { name: "a link that another one replaced", status: 410, code: "payment_link_revoked", token: replaced },
]);
refusals("POST /api/public/pay/:token/report", { body: gateway }, [
  nowhere,
  unknownField,
  noJson,
  settled,
  ended,
  { name: "no word of which wallet", status: 400, code: "parameter_missing", body: {} },
]);
refusals("POST /api/public/pay/:token/report/withdraw", { body: {} }, [nowhere, unknownField, noJson, settled, ended]);
refusals("POST /api/public/pay/:token/simulate", { body: {} }, [
  nowhere,
  unknownField,
  noJson,
  settled,
  ended,
  { name: "a LIVE page", status: 403, code: "environment_mismatch", token: () => made(live) },
]);
refusals("POST /api/public/pay/:token/voucher", { body: { ...gateway, transaction_reference: "4821" } }, [
  nowhere,
  unknownField,
  noJson,
  settled,
  ended,
  { name: "a proof of nothing", status: 400, code: "parameter_missing", body: gateway },
  {
    name: "a card number",
    status: 400,
    code: "card_number_refused",
    body: { ...gateway, transaction_reference: "4821", note: "4111 1111 1111 1111" },
  },
  {
    name: "a form without a file that names another order",
    status: 400,
    code: "parameter_unknown",
    payload: "gateway=wechatpay&transaction_reference=4821&order_id=ord_01m7wje4wze7as3wcxk3xbrgav",
    headers: form,
  },
  {
    name: "a form without a file whose amount isn't a number",
    status: 400,
    code: "parameter_invalid",
    payload: "gateway=wechatpay&transaction_reference=4821&amount_minor=much",
    headers: form,
  },
]);

test("a proof in a form without a file is read like one with a file: amounts are numbers, and empty fields count as omitted", async () => {
  const { order, token } = await test_.order();
  const payload = "gateway=wechatpay&transaction_reference=4821&amount_minor=9900&payer_name=&note=";
  const answer = await app.api().call("POST", `/api/public/pay/${token}/voucher`, { payload, headers: form });
  expect([answer.status, answer.body.payer_name, answer.body.note], answer.text).toEqual([201, null, null]);
  const { rows } = await listVouchers(app.ctx, test_.tenant, { order_id: order.id, limit: 10 });
  expect(rows).toMatchObject([{ transaction_reference: "4821", amount_minor: 9900, payer_name: null, note: null }]);
});
