import { beforeAll, describe, expect, it } from "vitest";
import { cancelOrder, expireDue, findOrder, issuePaymentLink, listVouchers, revokePaymentLink, simulatePayment } from "#orders/index.ts";
import { reviewOrder } from "#reconciliation/index.ts";
import type { Api } from "#test/support/app/api.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { alipayCode, type PayShop, payShop } from "#test/support/payments/pay-shop.ts";
import { photo } from "#test/support/pictures/pictures.ts";

const at = await testApp();
const buyer: Api = at.api(null);
const asPage = { headers: { accept: "text/html" } };
const form = { accept: "text/html", "content-type": "application/x-www-form-urlencoded" };
let shop: PayShop;

beforeAll(async () => {
  shop = await payShop(at);
});

const path = (token: string, action = "") => `/api/public/pay/${token}${action}`;
const refused = (status: number, code: string) => ({ status, body: { error: { code } } });
const state = async (token: string) => (await buyer.get(path(token))).body.state;

describe("a payment link", () => {
  it("leads from the order to a code, a report, a proof and the merchant's approval", async () => {
    const { order, token } = await shop.order({ reference: "INV-1001" });
    expect((await buyer.get(path(token))).body).toMatchObject({
      object: "payment_page",
      token,
      livemode: false,
      state: "choose",
      channels: ["wechatpay", "alipay"],
      session: null,
      simulate: true,
      merchant: { name: "Corner Books", contact: null },
      order: { reference: "INV-1001", amount_minor: 9900, rest_minor: 9900, paid_at: null },
    });

    const started = await buyer.post(path(token, "/initiate"), { gateway: "wechatpay" });
    expect(started).toMatchObject({
      status: 201,
      body: { object: "payment_session", gateway: "wechatpay", status: "pending", amount_minor: 9900, next_action: { type: "display_qr" } },
    });
    expect((await buyer.post(path(token, "/initiate"), { gateway: "wechatpay" })).status).toBe(200);
    expect(await state(token)).toBe("pay");

    const other = await buyer.post(path(token, "/initiate"), { gateway: "alipay" });
    expect(other).toMatchObject({ status: 201, body: { gateway: "alipay" } });

    expect((await buyer.get(path(token))).body.session.qr_payload).toBe(alipayCode);
    expect((await buyer.post(path(token, "/report"))).body).toMatchObject({
      state: "checking",
      session: { gateway: "alipay", qr_payload: null },
      can_prove: true,
    });
    const proof = await buyer.upload(path(token, "/voucher"), await photo(300, 600), { transaction_reference: "4821" });
    expect(proof).toMatchObject({ status: 201, body: { object: "voucher", status: "submitted", transaction_reference: "4821" } });
    expect(proof.text).not.toMatch(/risk|sha256|asset|reviewed/);
    expect((await buyer.get(path(token))).body.proof).not.toBeNull();

    await reviewOrder(at.ctx, shop.tenant, { order_id: order.id, decision: "approve" });
    expect((await buyer.get(path(token))).body).toMatchObject({ state: "paid", order: { rest_minor: 0 }, session: { gateway: "alipay" } });
  });

  it("shows a rejection's reason and note, and takes a better proof", async () => {
    const { order, token } = await shop.order();
    await buyer.post(path(token, "/voucher"), { gateway: "wechatpay", transaction_reference: "1111" });
    const rejection = { reason_code: "not_received", note: "Which day was it?" } as const;
    await reviewOrder(at.ctx, shop.tenant, { order_id: order.id, decision: "reject", ...rejection });
    expect((await buyer.get(path(token))).body).toMatchObject({ state: "choose", rejection, can_report: true });
    expect((await buyer.post(path(token, "/voucher"), { gateway: "wechatpay", transaction_reference: "2222" })).status).toBe(201);
    expect((await buyer.get(path(token))).body).toMatchObject({ state: "checking", rejection: null });
  });

  it("requests only the rest of an underpaid order", async () => {
    const { order, token } = await shop.order();
    await simulatePayment(at.ctx, shop.tenant, { order_id: order.id, outcome: "underpaid", amount_minor: 5000 });
    const page = (await buyer.get(path(token))).body;
    expect(page.order).toMatchObject({ received_minor: 5000, rest_minor: 4900 });
    const started = await buyer.post(path(token, "/initiate"), { gateway: "wechatpay" });
    expect(started.body).toMatchObject({ amount_minor: 4900 });
    expect((await buyer.get(`/pay/${token}`, asPage)).text).toContain("Remaining amount");
  });

  it("tells a buyer who overpaid that it was noticed", async () => {
    const { order, token } = await shop.order();
    await simulatePayment(at.ctx, shop.tenant, { order_id: order.id, outcome: "overpaid", amount_minor: 10_400 });
    expect((await buyer.get(`/pay/${token}`, asPage)).text).toContain("You paid ¥5.00 too much");
  });

  it("expires on the second, and is payable again when the merchant revives it", async () => {
    const { order, token } = await shop.order({ expires_in: 300 });
    at.clock.advance(301_000);
    expect(await state(token)).toBe("expired");
    await expireDue(at.ctx);
    expect(await state(token)).toBe("expired");
    expect(await buyer.post(path(token, "/initiate"), { gateway: "wechatpay" })).toMatchObject(refused(410, "payment_link_expired"));
    const { link } = await issuePaymentLink(at.ctx, shop.tenant, { order_id: order.id, expires_in: 600 });
    expect(await state(link?.token ?? "")).toBe("choose");
    expect(await state(token)).toBe("revoked");
  });

  it("hides its code once it was withdrawn", async () => {
    const { order, token } = await shop.order();
    await buyer.post(path(token, "/initiate"), { gateway: "wechatpay" });
    const page = async () => (await buyer.get(path(token))).body.session;
    expect(await page()).toMatchObject({ qr_payload: expect.stringContaining("wxp://") });
    await revokePaymentLink(at.ctx, shop.tenant, { order_id: order.id });
    expect(await page()).toMatchObject({ gateway: "wechatpay", qr_payload: null });
  });

  it("accepts no report of a personal payment in another currency than such codes have", async () => {
    const { token } = await shop.order({ currency: "USD" });
    expect(await buyer.post(path(token, "/report"), { gateway: "wechatpay" })).toMatchObject(refused(400, "unsupported_currency"));
  });

  it.each(["expired", "revoked"] as const)('still accepts "I already paid" when it is %s', async (dead) => {
    const { order, token } = await shop.order({ expires_in: 300 });
    if (dead === "revoked") await revokePaymentLink(at.ctx, shop.tenant, { order_id: order.id });
    else at.clock.advance(301_000);
    expect((await buyer.get(path(token))).body).toMatchObject({ state: dead, can_report: true });
    expect((await buyer.post(path(token, "/report"), { gateway: "alipay" })).body.state).toBe("checking");
    expect((await buyer.upload(path(token, "/voucher"), await photo(200, 300))).status).toBe(201);
    await reviewOrder(at.ctx, shop.tenant, { order_id: order.id, decision: "approve" });
    expect(await state(token)).toBe("paid");
  });

  it("offers a new code when the last one expired", async () => {
    const { token } = await shop.order();
    await buyer.post(path(token, "/initiate"), { gateway: "wechatpay" });
    at.clock.advance(31 * 60_000);
    expect((await buyer.get(path(token))).body).toMatchObject({ state: "choose", can_report: true });
    expect((await buyer.post(path(token, "/initiate"), { gateway: "wechatpay" })).status).toBe(201);
    expect(await state(token)).toBe("pay");
  });
});

describe("refusals", () => {
  const cardNumber = { status: 400, code: "card_number_refused" };
  const cases: { name: string; action: string; body: unknown; status: number; code: string; before?: (id: string) => Promise<unknown> }[] =
    [
      { name: "an unknown gateway", action: "/initiate", body: { gateway: "wechat" }, status: 400, code: "parameter_invalid" },
      { name: "no gateway", action: "/initiate", body: {}, status: 400, code: "parameter_missing" },
      { name: "a field that is none", action: "/report", body: { amount_minor: 1 }, status: 400, code: "parameter_unknown" },
      { name: "an empty proof", action: "/voucher", body: {}, status: 400, code: "parameter_missing" },
      { name: "somebody else's picture", action: "/voucher", body: { asset_id: "ast_x" }, status: 400, code: "parameter_unknown" },
      { name: "a card number as reference", action: "/voucher", body: { transaction_reference: "4242424242424242" }, ...cardNumber },
      {
        name: "a card number in the note",
        action: "/voucher",
        body: { transaction_reference: "4821", note: "card 4242 4242 4242 4242" },
        ...cardNumber,
      },
      { name: "a report without any channel", action: "/report", body: {}, status: 400, code: "parameter_missing" },
      {
        name: "a report of a paid order",
        action: "/report",
        body: { gateway: "alipay" },
        status: 409,
        code: "order_already_paid",
        before: (order_id) => simulatePayment(at.ctx, shop.tenant, { order_id }),
      },
      {
        name: "a proof for a canceled order",
        action: "/voucher",
        body: { transaction_reference: "4821", gateway: "alipay" },
        status: 409,
        code: "order_state_conflict",
        before: (order_id) => cancelOrder(at.ctx, shop.tenant, { order_id }),
      },
      {
        name: "a payment through a revoked link",
        action: "/initiate",
        body: { gateway: "alipay" },
        status: 410,
        code: "payment_link_revoked",
        before: (order_id) => revokePaymentLink(at.ctx, shop.tenant, { order_id }),
      },
    ];
  it.each(cases)("$name: $status $code, leaving nothing behind", async ({ action, body, status, code, before }) => {
    const { order, token } = await shop.order();
    await before?.(order.id);
    const stood = await findOrder(at.ctx, shop.tenant, order.id);
    const answer = await buyer.post(path(token, action), body);
    expect({ status: answer.status, code: answer.body.error?.code }).toEqual({ status, code });
    expect(await findOrder(at.ctx, shop.tenant, order.id)).toEqual(stood);
    expect(await listVouchers(at.ctx, shop.tenant, { order_id: order.id, limit: 10 })).toMatchObject({ rows: [] });
  });

  it("an unknown token is the same 404 everywhere, whatever its shape", async () => {
    for (const token of [`pl_test_${"x".repeat(32)}`, "x", "pl_live_1"]) {
      for (const [method, action] of [
        ["GET", ""],
        ["GET", "/events"],
        ["POST", "/initiate"],
        ["POST", "/report"],
        ["POST", "/simulate"],
      ] as const) {
        const options = method === "POST" ? { body: action === "/initiate" ? { gateway: "alipay" } : {} } : {};
        const answer = await buyer.call(method, path(token, action), options);
        expect(answer).toMatchObject(refused(404, "payment_link_not_found"));
      }
    }
  });

  it("no simulation on a LIVE page", async () => {
    const live = await payShop(at, { livemode: true });
    const { token } = await live.order();
    expect((await buyer.get(path(token))).body.simulate).toBe(false);
    expect(await buyer.post(path(token, "/simulate"))).toMatchObject(refused(403, "environment_mismatch"));
    expect(await state(token)).toBe("choose");
  });

  it("an unverified merchant can't take LIVE money, and the page explains it", async () => {
    const live = await payShop(at, { livemode: true, verified: false });
    const { token } = await live.order();
    expect(await buyer.post(path(token, "/initiate"), { gateway: "alipay" })).toMatchObject(refused(403, "merchant_not_verified"));
    const back = await buyer.call("POST", path(token, "/initiate"), { headers: form, payload: "gateway=alipay" });
    expect(back).toMatchObject({ status: 303, headers: { location: `/pay/${token}?problem=merchant_not_verified` } });
  });

  it("more than five proofs an hour are refused, with the time to try again", async () => {
    const { token } = await shop.order();
    for (let index = 0; index < 5; index += 1)
      await buyer.post(path(token, "/voucher"), { gateway: "alipay", transaction_reference: `100${index}` });
    const answer = await buyer.post(path(token, "/voucher"), { gateway: "alipay", transaction_reference: "1009" });
    expect(answer).toMatchObject(refused(429, "rate_limited"));
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(60);
  });
});

it("accepts the same last digits from two honest buyers", async () => {
  const [first, second] = [await shop.order(), await shop.order()];
  await buyer.post(path(first.token, "/voucher"), { gateway: "alipay", transaction_reference: "7788" });
  await reviewOrder(at.ctx, shop.tenant, { order_id: first.order.id, decision: "approve" });
  expect((await buyer.post(path(second.token, "/voucher"), { gateway: "alipay", transaction_reference: "7788" })).status).toBe(201);
});

describe("a browser without scripts", () => {
  it("gets 303 back to the page after every form, with its language and colors preserved", async () => {
    const { token } = await shop.order();
    const post = (action: string, payload: string) =>
      buyer.call("POST", `${path(token, action)}?lang=zh&theme=dark`, { headers: form, payload });
    const redirect = { status: 303, headers: { location: `/pay/${token}?lang=zh&theme=dark` } };
    expect(await post("/initiate", "gateway=wechatpay")).toMatchObject(redirect);
    expect(await post("/report", "")).toMatchObject(redirect);
    expect(await post("/simulate", "")).toMatchObject(redirect);
    const page = await buyer.get(`/pay/${token}?lang=zh&theme=dark`, asPage);
    expect(page.text).toContain("付款成功");
  });

  it("can report without proof, from the form for proof", async () => {
    const { order, token } = await shop.order({ expires_in: 300 });
    await revokePaymentLink(at.ctx, shop.tenant, { order_id: order.id });
    const payload = "gateway=alipay&file=&transaction_reference=";
    const sent = await buyer.call("POST", path(token, "/report"), { headers: form, payload });
    expect(sent).toMatchObject({ status: 303, headers: { location: `/pay/${token}` } });
    expect((await buyer.get(path(token))).body).toMatchObject({ state: "checking", session: { gateway: "alipay" }, proof: null });
  });

  it("can send a proof with an empty field as if the field weren't there", async () => {
    const { token } = await shop.order();
    const fields = { gateway: "alipay", transaction_reference: "" };
    const sent = await buyer.upload(path(token, "/voucher"), await photo(200, 200), fields, asPage);
    expect(sent).toMatchObject({ status: 303, headers: { location: `/pay/${token}` } });
    const empty = await buyer.upload(path(token, "/voucher"), Buffer.alloc(0), fields, asPage);
    expect(empty.headers["location"]).toBe(`/pay/${token}?problem=parameter_missing`);
  });

  it.each([
    ["a text", Buffer.from("not a picture"), "unsupported_media_type"],
    ["six megabytes", Buffer.alloc(6 * 1024 * 1024, 1), "file_too_large"],
  ])("reads why %s isn't a proof", async (_name, file, problem) => {
    const { token } = await shop.order();
    const sent = await buyer.upload(path(token, "/voucher"), file, { gateway: "alipay" }, asPage);
    expect(sent.headers["location"]).toBe(`/pay/${token}?problem=${problem}`);
    const page = await buyer.get(sent.headers["location"] ?? "", asPage);
    expect(page.text).toMatch(/role="alert" tabindex="-1" >/);
    expect(await state(token)).toBe("choose");
  });
});
