import { beforeEach, describe, expect, test } from "vitest";
import { listGatewayAttempts } from "#gateways/index.ts";
import { listSessionRows } from "#orders/rows/sessions.sql.ts";
import type { Answer } from "#test/support/app/api.ts";
import { pollDue } from "#test/support/gateways/scripted/gateway-shop.ts";
import { wechatAgent, wechatApp } from "#test/support/gateways/simulated/wechat-app.ts";
import { comeBack, unescaped, type Visitor, visitorsOf } from "#test/support/people/visitor-browser.ts";
import { changeOne } from "#test/support/sealed/change-one.ts";

const { app, requests, shop: openShop, transaction, simulate } = await wechatApp();
const gateway = "wechatpay_merchant";
const exchange = "GET /sns/oauth2/access_token";
const browserOf = visitorsOf(app, gateway);
const inWechat = (visitor?: string) => browserOf(wechatAgent(visitor));

beforeEach(() => {
  requests.length = 0;
});

const sessionsOf = async (shop: Awaited<ReturnType<typeof openShop>>, order_id: string) =>
  (await listSessionRows(app.ctx.db, shop.tenant, [order_id])).toSorted((one, other) => (one.id < other.id ? -1 : 1));
const jsapiOf = ({ text }: Answer) => JSON.parse(unescaped(/data-jsapi="([^"]*)"/.exec(text)?.[1] ?? "null"));

describe("a buyer in WeChat's own browser", () => {
  test("is identified by WeChat, and pays there", async () => {
    const shop = await openShop();
    const { token, order } = await shop.order();
    const visitor = inWechat();
    expect(await visitor.choose(token)).toMatchObject({ status: 303, headers: { location: `/pay/${token}/go` } });
    const address = new URL(await visitor.leads(token));
    expect(address.pathname).toBe("/connect/oauth2/authorize");
    expect([...address.searchParams.keys()]).toEqual(["appid", "redirect_uri", "response_type", "scope", "state"]);
    expect(address.hash).toBe("#wechat_redirect");
    expect(address.searchParams.get("redirect_uri")).toBe(`http://localhost:8080/pay/${token}/buyer`);
    expect(address.searchParams.get("state")).toMatch(/^[0-9A-Za-z]{32}$/);
    expect(await sessionsOf(shop, order.id)).toEqual([]);
    const back = await visitor.page(await visitor.authorize(address.href));
    expect(back).toMatchObject({ status: 303, headers: { location: `/pay/${token}/go` } });
    const [session] = await sessionsOf(shop, order.id);
    expect(await transaction(session?.id ?? "")).toMatchObject({ way: "jsapi", openid: expect.stringMatching(/^o\w{27}$/) });
    const inside = await visitor.page(`/pay/${token}/go`);
    expect(jsapiOf(inside)).toMatchObject({
      appId: shop.fields["appid"],
      package: expect.stringMatching(/^prepay_id=wx/),
      signType: "RSA",
    });
    expect(inside.headers["content-security-policy"]).toContain("frame-src weixin:;");
    await simulate(session?.id ?? "", "silent");
    app.clock.advance(300_000);
    await pollDue(app);
    expect((await visitor.page(`/pay/${token}`)).text).toContain('data-state="paid"');
  });

  test("continues where they were after returning again or reloading, and isn't asked again", async () => {
    const shop = await openShop();
    const { token, order } = await shop.order();
    const visitor = inWechat();
    const { path } = await comeBack(visitor, token);
    requests.length = 0;
    expect(await visitor.page(path)).toMatchObject({ status: 303, headers: { location: `/pay/${token}/go` } });
    expect(requests).not.toContain(exchange);
    expect(await sessionsOf(shop, order.id)).toHaveLength(1);
  });

  test("who is sent back by WeChat twice concurrently, with two codes, has one payment", async () => {
    const shop = await openShop();
    const { token, order } = await shop.order();
    const visitor = inWechat();
    await visitor.choose(token);
    const address = await visitor.leads(token);
    const [one, other] = [await visitor.authorize(address), await visitor.authorize(address)];
    expect(await Promise.all([visitor.page(one), visitor.page(other)])).toMatchObject([{ status: 303 }, { status: 303 }]);
    expect(await sessionsOf(shop, order.id)).toHaveLength(1);
    expect(jsapiOf(await visitor.page(`/pay/${token}/go`))).not.toBeNull();
  });

  test("who taps again has the same payment, and another person with the same link has their own", async () => {
    const shop = await openShop();
    const { token, order } = await shop.order();
    const [li, wu] = [inWechat("li"), inWechat("wu")];
    await comeBack(li, token);
    await comeBack(li, token);
    const [first, ...more] = await sessionsOf(shop, order.id);
    expect(more).toEqual([]);
    expect(await wu.page(`/pay/${token}/go`)).toMatchObject({ status: 303, headers: { location: `/pay/${token}` } });
    await comeBack(wu, token);
    const sessions = await sessionsOf(shop, order.id);
    expect(sessions.map(({ status }) => status)).toEqual(["canceled", "pending"]);
    const [of, at] = [await transaction(first?.id ?? ""), await transaction(sessions[1]?.id ?? "")];
    expect([of.state, at.state]).toEqual(["CLOSED", "NOTPAY"]);
    expect(of.openid).not.toBe(at.openid);
    expect(await li.page(`/pay/${token}/go`)).toMatchObject({ status: 303, headers: { location: `/pay/${token}` } });
  });

  test("keeps language and colors on the way", async () => {
    const { token } = await (await openShop()).order();
    const visitor = inWechat();
    await visitor.choose(token, "?lang=zh&theme=dark");
    const path = await visitor.authorize(await visitor.leads(token));
    expect((await visitor.page(path)).headers["location"]).toBe(`/pay/${token}/go?lang=zh&theme=dark`);
  });

  test("of an account without an app's secret sees the code immediately, and what to do with it", async () => {
    const shop = await openShop({ app_secret: "" });
    const { token } = await shop.order();
    const visitor = inWechat();
    expect(await visitor.choose(token)).toMatchObject({ status: 303, headers: { location: `/pay/${token}` } });
    const { text } = await visitor.page(`/pay/${token}`);
    expect(text).toContain("Open this page on a computer or another phone");
    expect(text).toContain("Open in browser");
    expect(text).not.toContain("Pay on this device");
    expect(text).not.toContain("Save image");
  });
});

describe("a response about a buyer is refused, and nothing is requested or started", () => {
  const cases: [string, (given: { visitor: Visitor; path: string; token: string }) => Promise<{ visitor: Visitor; path: string }>][] = [
    ["with a forged state", async ({ visitor, path }) => ({ visitor, path: path.replace(/state=\w+/, `state=${"0".repeat(32)}`) })],
    ["with a state of another length", async ({ visitor, path }) => ({ visitor, path: path.replace(/state=\w+/, "state=short") })],
    ["without a state", async ({ visitor, path }) => ({ visitor, path: path.replace(/&state=\w+/, "") })],
    ["with two states", async ({ visitor, path }) => ({ visitor, path: `${path}&state=${"0".repeat(32)}` })],
    ["in another browser", async ({ path }) => ({ visitor: inWechat("victim"), path })],
    [
      "in a browser that asked for itself",
      async ({ path, token }) => {
        const visitor = inWechat("victim");
        await visitor.choose(token);
        return { visitor, path };
      },
    ],
    [
      "whose cookie was changed",
      async ({ visitor, path }) => {
        for (const [name, value] of visitor.cookies) visitor.cookies.set(name, changeOne(value));
        return { visitor, path };
      },
    ],
    [
      "more than ten minutes later",
      async ({ visitor, path }) => {
        app.clock.advance(601_000);
        return { visitor, path };
      },
    ],
  ];

  test.each(cases)("%s", async (_what, change) => {
    const shop = await openShop();
    const { token, order } = await shop.order();
    const honest = inWechat();
    await honest.choose(token);
    const { visitor, path } = await change({ visitor: honest, path: await honest.authorize(await honest.leads(token)), token });
    requests.length = 0;
    expect(await visitor.page(path)).toMatchObject({ status: 303, headers: { location: `/pay/${token}?problem=buyer_unknown` } });
    expect(requests).toEqual([]);
    expect(await sessionsOf(shop, order.id)).toEqual([]);
    expect((await visitor.page(`/pay/${token}?problem=buyer_unknown`)).text).toContain("couldn&#39;t confirm who you are");
  });

  test("of another payment's page", async () => {
    const shop = await openShop();
    const [one, other] = [await shop.order(), await shop.order()];
    const visitor = inWechat();
    await visitor.choose(other.token);
    await visitor.choose(one.token);
    const path = await visitor.authorize(await visitor.leads(one.token));
    expect((await visitor.page(path.replace(one.token, other.token))).headers["location"]).toBe(
      `/pay/${other.token}?problem=buyer_unknown`,
    );
    expect(await sessionsOf(shop, other.order.id)).toEqual([]);
  });

  test("of a payment that is already paid, which its page then says", async () => {
    const shop = await openShop();
    const { token } = await shop.order();
    const visitor = inWechat();
    await visitor.choose(token);
    const path = await visitor.authorize(await visitor.leads(token));
    await app.api().post(`/api/public/pay/${token}/simulate`, {});
    requests.length = 0;
    expect((await visitor.page(path)).headers["location"]).toBe(`/pay/${token}`);
    expect(requests).toEqual([]);
  });
});

describe("if WeChat doesn't say who the buyer is, they see the code and can try again", () => {
  const used = async (path: string, { fields }: { fields: Record<string, string> }, origin: string) => {
    const code = new URLSearchParams(path.split("?")[1]).get("code");
    await fetch(
      `${origin}/sns/oauth2/access_token?appid=${fields["appid"]}&secret=${fields["app_secret"]}&code=${code}&grant_type=authorization_code`,
    );
    return path;
  };
  test.each([
    ["a code that nobody was given", {}, async (path: string) => path.replace(/code=\w+/, "code=invented"), "40029"],
    ["a code that was used before", {}, used, "40163"],
    ["no code at all", {}, async (path: string) => path.replace(/code=\w+&/, ""), null],
    ["a secret that is wrong", { app_secret: "0".repeat(32) }, async (path: string) => path, "40125"],
  ] as [string, Record<string, string>, typeof used, string | null][])("%s", async (_what, over, change, code) => {
    const shop = await openShop(over);
    const { token, order } = await shop.order();
    const visitor = inWechat();
    await visitor.choose(token);
    const address = await visitor.leads(token);
    const path = await change(await visitor.authorize(address), shop, new URL(address).origin);
    expect((await visitor.page(path)).headers["location"]).toBe(`/pay/${token}?problem=buyer_unknown`);
    const [session] = await sessionsOf(shop, order.id);
    expect(await transaction(session?.id ?? "")).toMatchObject({ way: "native" });
    const { text } = await visitor.page(`/pay/${token}?problem=buyer_unknown`);
    expect(text).toContain("couldn&#39;t confirm who you are");
    expect(text).toContain("Pay on this device");
    const { rows } = await listGatewayAttempts(app.ctx, shop.tenant, {
      gateway,
      credential_id: shop.credential_id,
      outcome: null,
      verb: ["identify"],
      reference: null,
      limit: 10,
    });
    expect(rows.map((row) => row.code)).toEqual(code === null ? [] : [code]);
    expect(JSON.stringify(rows)).not.toContain(over["app_secret"] ?? shop.fields["app_secret"]);
    if (over["app_secret"] === undefined) {
      await comeBack(visitor, token);
      expect((await sessionsOf(shop, order.id)).map(({ status }) => status)).toEqual(["canceled", "pending"]);
      expect(jsapiOf(await visitor.page(`/pay/${token}/go`))).not.toBeNull();
    }
  });

  test("the call is in the account's log without secret, code and openid", async () => {
    const shop = await openShop();
    const { token, order } = await shop.order();
    const { path } = await comeBack(inWechat(), token);
    const [session] = await sessionsOf(shop, order.id);
    const { openid } = await transaction(session?.id ?? "");
    const { rows } = await listGatewayAttempts(app.ctx, shop.tenant, {
      gateway,
      credential_id: shop.credential_id,
      outcome: null,
      verb: ["identify"],
      reference: null,
      limit: 10,
    });
    expect(rows).toMatchObject([
      {
        verb: "identify",
        outcome: "succeeded",
        exchanges: [{ method: "GET", url: expect.stringMatching(/\/sns\/oauth2\/access_token$/) }],
      },
    ]);
    const stored = JSON.stringify([rows, session]);
    for (const hidden of [shop.fields["app_secret"] ?? "", openid, new URLSearchParams(path.split("?")[1]).get("code") ?? ""])
      expect(stored).not.toContain(hidden);
  });
});

test("a program that starts a payment in WeChat isn't redirected", async () => {
  const { token } = await (await openShop()).order();
  const headers = { "user-agent": wechatAgent() };
  expect(await app.api().post(`/api/public/pay/${token}/initiate`, { gateway }, { headers })).toMatchObject({
    status: 201,
    body: { next_action: { type: "display_qr" } },
  });
});
