import { beforeAll, describe, expect, it } from "vitest";
import { uploadAsset } from "#assets/index.ts";
import { putProfile } from "#collection/index.ts";
import { reviewOrder } from "#reconciliation/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { alipayCode, type PayShop, payShop } from "#test/support/payments/pay-shop.ts";
import { photo } from "#test/support/pictures/pictures.ts";

const at = await testApp();
const buyer = at.api(null);
let shop: PayShop;

beforeAll(async () => {
  shop = await payShop(at);
});

const path = (token: string, action = "") => `/api/public/pay/${token}${action}`;

describe("the page's responses", () => {
  it("may not be stored, indexed, framed or reveal where the buyer came from", async () => {
    const { token } = await shop.order();
    const { status, headers } = await buyer.get(`/pay/${token}`, { headers: { accept: "text/html" } });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex, nofollow",
      "content-type": "text/html; charset=utf-8",
    });
    expect(headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
  });

  it("say how long to wait after too many attempts: a minute for a payment method, an hour for a proof", async () => {
    const { token } = await shop.order();
    const post = (action: string, payload: string) =>
      buyer.call("POST", path(token, action), {
        headers: { accept: "text/html", "content-type": "application/x-www-form-urlencoded" },
        payload,
      });
    const leadsTo = async (action: string, payload: string) => {
      for (let tries = 0; tries < 100; tries += 1) {
        const location = String((await post(action, payload)).headers["location"]);
        if (location.includes("rate_limited")) return location;
      }
      return null;
    };
    expect(await leadsTo("/initiate", "gateway=wechatpay")).toBe(`/pay/${token}?problem=rate_limited`);
    expect(await leadsTo("/voucher", "")).toBe(`/pay/${token}?problem=rate_limited_hour`);
    for (const [problem, text] of [
      ["rate_limited", "Wait a minute"],
      ["rate_limited_hour", "Wait up to an hour"],
    ] as const)
      expect((await buyer.get(`/pay/${token}?problem=${problem}`, { headers: { accept: "text/html" } })).text).toContain(text);
  });

  it("show the project's brand: its name, its logo from this host, its support address", async () => {
    const own = await payShop(at);
    const asset = await uploadAsset(at.ctx, own.tenant, { purpose: "logo", file: await photo(64, 64) });
    const branding = { display_name: "Lantern & Co", logo_asset_id: asset.id, support_email: "help@lantern.example" };
    await runStatement(
      at.ctx.db,
      "update projects set settings = ?::text::jsonb where id = ?",
      JSON.stringify({ branding }),
      own.tenant.project_id,
    );
    const { token } = await own.order();
    const page = (await buyer.get(`/pay/${token}`)).text;
    expect(page).toContain("Lantern &#38; Co");
    expect(page).toContain('href="mailto:help@lantern.example"');
    const logo = /class="logo" src="([^"]*)"/.exec(page)?.[1]?.replaceAll("&#61;", "=").replaceAll("&#38;", "&") ?? "";
    expect(logo).toMatch(/^\/assets\/ast_/);
    expect(await buyer.get(logo)).toMatchObject({ status: 200, headers: { "content-type": expect.stringMatching(/^image\//) } });
  });

  it("reference files that are compressed and cached indefinitely, and that no longer exist once their content changed", async () => {
    const { token } = await shop.order();
    const style = /href="(\/static\/pay\.[0-9a-f]+\.css)"/.exec((await buyer.get(`/pay/${token}`)).text)?.[1] ?? "";
    const answer = await buyer.get(style, { headers: { "accept-encoding": "gzip, br" } });
    expect(answer).toMatchObject({
      status: 200,
      headers: { "content-encoding": "br", "cache-control": "public, max-age=31536000, immutable", "x-content-type-options": "nosniff" },
    });
    expect((await buyer.get(style)).text).toContain("--accent:#");
    expect((await buyer.get("/static/pay.000000000000.css")).status).toBe(404);
  });

  it("have a separate page for an unknown link", async () => {
    const answer = await buyer.get("/pay/pl_test_nothing", { headers: { accept: "text/html", "accept-language": "zh-CN" } });
    expect(answer.status).toBe(404);
    expect(answer.text).toContain("找不到这笔付款");
  });

  it("explain when a link is read too often, and when to come back", async () => {
    const { token } = await shop.order();
    for (let index = 0; index < 120; index += 1) await buyer.get(path(token));
    const answer = await buyer.get(`/pay/${token}?lang=zh`, { headers: { accept: "text/html" } });
    expect(answer).toMatchObject({ status: 429, headers: { "content-type": "text/html; charset=utf-8" } });
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect(answer.text).toContain("操作太频繁");
    expect(answer.text).toContain(`href="/pay/${token}?lang&#61;zh"`);
  });

  it("draw only the open payment's code", async () => {
    const { token } = await shop.order();
    expect((await buyer.get(`/pay/${token}/qr.svg`)).status).toBe(404);
    await buyer.post(path(token, "/initiate"), { gateway: "wechatpay" });
    const svg = await buyer.get(`/pay/${token}/qr.svg`);
    expect(svg).toMatchObject({ status: 200, headers: { "content-type": "image/svg+xml", "cache-control": "no-store" } });
    expect((await buyer.get(`/pay/${token}/qr.png`)).headers["content-type"]).toBe("image/png");
    await buyer.post(path(token, "/report"));
    expect((await buyer.get(`/pay/${token}/qr.png`)).status).toBe(404);
  });

  it("show a receipt for a paid order, and the page for any other", async () => {
    const { token } = await shop.order({ reference: "INV-7" });
    expect(await buyer.get(`/pay/${token}/receipt`)).toMatchObject({ status: 303, headers: { location: `/pay/${token}` } });
    await buyer.post(path(token, "/simulate"));
    const receipt = await buyer.get(`/pay/${token}/receipt`);
    expect(receipt.status).toBe(200);
    expect(receipt.text).toContain("INV-7");
  });

  it("show the remark code and the lowered amount if matching uses them", async () => {
    const remark = await payShop(at, { matching: { mode: "remark" } });
    const first = await remark.order();
    const started = await buyer.post(path(first.token, "/initiate"), { gateway: "wechatpay" });
    const page = await buyer.get(`/pay/${first.token}`, { headers: { accept: "text/html" } });
    expect(page.text).toContain(`>${started.body.remark_code}</p>`);

    const unique = await payShop(at, { matching: { mode: "unique_amount", max_offset_minor: 20 } });
    const [one, two] = [await unique.order(), await unique.order()];
    for (const { token } of [one, two]) await buyer.post(path(token, "/initiate"), { gateway: "wechatpay" });
    const pages = await Promise.all([one, two].map(({ token }) => buyer.get(path(token))));
    const payable = pages.map((answer) => answer.body.session.payable_amount_minor);
    expect(new Set(payable).size).toBe(2);
    const lowered = pages.findIndex((answer) => answer.body.session.payable_amount_minor < 9900);
    expect((await buyer.get(`/pay/${[one, two][lowered]?.token}`)).text).toContain("owe the difference.");
  });

  it("use the project's own figures for how long a review takes, once there are five", async () => {
    const own = await payShop(at);
    for (let index = 0; index < 5; index += 1) {
      const { order, token } = await own.order();
      await buyer.post(path(token, "/report"), { gateway: "alipay" });
      at.clock.advance(7 * 60_000);
      await reviewOrder(at.ctx, own.tenant, { order_id: order.id, decision: "approve" });
    }
    const { token } = await own.order();
    expect((await buyer.post(path(token, "/report"), { gateway: "alipay" })).body.usual_review_minutes).toBe(7);
  });

  it("tell a buyer whose payment method is at its limit for today only that, and nothing about proof", async () => {
    const own = await payShop(at);
    await putProfile(at.ctx, own.tenant, {
      channel: "alipay",
      if_version: null,
      qr_payload: alipayCode,
      enabled: true,
      limits: { daily_total_minor: 100 },
    });
    const { token } = await own.order();
    const headers = { accept: "text/html", "content-type": "application/x-www-form-urlencoded" };
    const back = await buyer.call("POST", path(token, "/initiate"), { headers, payload: "gateway=alipay" });
    expect(back).toMatchObject({ status: 303, headers: { location: `/pay/${token}?problem=channel_limit` } });
    const page = await buyer.get(`/pay/${token}?problem=channel_limit`, { headers: { accept: "text/html" } });
    expect(page.text).toContain("This payment method has reached its limit for today.");
  });
});
