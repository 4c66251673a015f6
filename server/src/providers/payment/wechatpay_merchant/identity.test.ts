import { describe, expect, test } from "vitest";
import type { GatewayBuyer, GatewayCall, GatewayError } from "#gateways/index.ts";
import { newPayment, openShop, wechatpay } from "#test/support/gateways/simulated/wechatpay-shop.ts";
import { wechatpayMerchant } from "./adapter.ts";

const shop = await openShop();
const appSecret = shop.fields["app_secret"] ?? "";
const identity = (() => {
  const found = shop.account.buyerIdentity;
  if (found === null || found === undefined) throw new Error("an account with its app's secret asks who buyers are");
  return found;
})();
const inWechat = { "user-agent": "Mozilla/5.0 (Linux; Android 14) MicroMessenger/8.0.50" };
const state = "0123456789abcdefghijABCDEFGHIJ99";
const returnUrl = "https://pay.shop.test/pay/pl_token/buyer?lang=zh";

/** A call whose provider answers with this, whatever it is asked. */
function answering(answer: () => Response): { call: GatewayCall; requests: string[] } {
  const requests: string[] = [];
  const fetch: GatewayCall["fetch"] = async (input) => {
    requests.push(String(input));
    return answer();
  };
  return { call: { ...shop.call, baseUrl: "https://api.mch.weixin.qq.com", fetch }, requests };
}

const errorOf = (promise: Promise<unknown>): Promise<GatewayError> =>
  promise.then(
    () => Promise.reject(new Error("it went through")),
    (error: GatewayError) => error,
  );

describe("WeChat identifies the buyer", () => {
  test.each([
    ["wechat", true],
    ["desktop", false],
    ["phone", false],
    ["alipay", false],
  ])("in %s: %s", (device, wanted) => {
    expect(identity.isWanted(device)).toBe(wanted);
  });

  test.each(["https://api.mch.weixin.qq.com", "https://api2.mch.weixin.qq.com"])(
    "at its own address, with its parameters in its order, if payments go to %s",
    (baseUrl) => {
      expect(identity.addressOf({ baseUrl }, { returnUrl, state })).toBe(
        `https://open.weixin.qq.com/connect/oauth2/authorize?appid=${shop.fields["appid"]}&redirect_uri=https%3A%2F%2Fpay.shop.test%2Fpay%2Fpl_token%2Fbuyer%3Flang%3Dzh&response_type=code&scope=snsapi_base&state=${state}#wechat_redirect`,
      );
    },
  );

  test("at another address if a simulator replaces it", () => {
    expect(identity.addressOf({ baseUrl: "http://127.0.0.1:9/wx" }, { returnUrl, state })).toMatch(
      /^http:\/\/127\.0\.0\.1:9\/wx\/connect\/oauth2\/authorize\?appid=/,
    );
    expect(identity.addressOf({ baseUrl: "https://mch.weixin.qq.com.evil.example" }, { returnUrl, state })).toMatch(
      /^https:\/\/mch\.weixin\.qq\.com\.evil\.example\//,
    );
  });

  test("not at all without the secret of its app", async () => {
    const { app_secret: _secret, ...fields } = shop.fields;
    expect(wechatpayMerchant.open(fields, { livemode: true }).buyerIdentity).toBeNull();
  });

  test("and the code that it returns the buyer with is read once, for the same openid each time", async () => {
    const visit = async () => {
      const address = identity.addressOf(shop.call, { returnUrl, state });
      const answer = await wechatpay.handle(shop.world, new Request(address, { headers: inWechat }));
      return Object.fromEntries(new URL(answer.headers.get("location") ?? "").searchParams);
    };
    const back = await visit();
    expect(back).toMatchObject({ lang: "zh", state });
    const openid = await identity.read(shop.call, back);
    expect(openid).toMatch(/^o\w{27}$/);
    expect(await errorOf(identity.read(shop.call, back))).toMatchObject({ kind: "conflict", code: "40163" });
    expect(await identity.read(shop.call, await visit())).toBe(openid);
    const late = await visit();
    shop.world.pass(300);
    expect(await errorOf(identity.read(shop.call, late))).toMatchObject({ kind: "conflict", code: "42003" });
  });

  test("but opens nothing outside WeChat", async () => {
    const answer = await wechatpay.handle(shop.world, new Request(identity.addressOf(shop.call, { returnUrl, state })));
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("请在微信客户端打开链接")]);
  });
});

describe("the openid is read", () => {
  test("at WeChat's own address", async () => {
    const { call, requests } = answering(() => Response.json({ openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o", access_token: "t" }));
    expect(await identity.read(call, { code: "c_0-1" })).toBe("oUpF8uMuAJO_M2pxb1Q9zNjWeS6o");
    expect(requests).toEqual([
      `https://api.weixin.qq.com/sns/oauth2/access_token?appid=${shop.fields["appid"]}&secret=${appSecret}&code=c_0-1&grant_type=authorization_code`,
    ]);
  });

  test.each<[string, () => Response, string, string]>([
    ["a code that is not valid", () => Response.json({ errcode: 40029, errmsg: `invalid code ${appSecret}` }), "conflict", "40029"],
    ["a code that was used", () => Response.json({ errcode: 40163, errmsg: "code been used" }), "conflict", "40163"],
    ["an old code", () => Response.json({ errcode: 42003, errmsg: "oauth_code expired" }), "conflict", "42003"],
    ["a wrong secret", () => Response.json({ errcode: 40125, errmsg: "invalid appsecret" }), "invalid", "40125"],
    ["another app", () => Response.json({ errcode: 40013, errmsg: "invalid appid" }), "invalid", "40013"],
    ["an account that may not ask", () => Response.json({ errcode: 48001, errmsg: "api unauthorized" }), "invalid", "48001"],
    ["a number that nobody knows", () => Response.json({ errcode: 99999, errmsg: "?" }), "invalid", "99999"],
    ["too many questions", () => Response.json({ errcode: 45011, errmsg: "frequency limit" }), "rate_limited", "45011"],
    ["a system that is busy", () => Response.json({ errcode: -1, errmsg: "system error" }), "unavailable", "-1"],
    ["a proxy in between", () => new Response("<html>", { status: 502 }), "unavailable", "http_502"],
    ["too many requests", () => new Response("", { status: 429 }), "rate_limited", "http_429"],
    ["no JSON", () => new Response("<html>"), "unavailable", "malformed_answer"],
    ["a list", () => Response.json([]), "unavailable", "malformed_answer"],
    ["nothing", () => Response.json({}), "unavailable", "malformed_answer"],
    ["a number that is none", () => Response.json({ errcode: "40029" }), "unavailable", "malformed_answer"],
    ["an openid that is none", () => Response.json({ openid: "o<script>" }), "unavailable", "malformed_answer"],
    ["an openid without end", () => Response.json({ openid: "o".repeat(129) }), "unavailable", "malformed_answer"],
  ])("from no response with %s", async (_what, answer, kind, code) => {
    const error = await errorOf(identity.read(answering(answer).call, { code: "code_of_buyer" }));
    expect(error).toMatchObject({ kind, code });
    expect(error.message).not.toContain(appSecret);
    expect(error.message).not.toContain("code_of_buyer");
  });

  test.each([{}, { code: "" }, { code: "a&secret=b" }, { code: "x".repeat(513) }, { code: "码" }])(
    "from no malformed code, without any request: %j",
    async (query) => {
      const { call, requests } = answering(() => Response.json({ openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" }));
      expect(await errorOf(identity.read(call, query))).toMatchObject({ kind: "conflict", code: "no_code" });
      expect(requests).toEqual([]);
    },
  );
});

describe("a buyer's place for a payment", () => {
  const buyer: GatewayBuyer = { ip: "203.0.113.7", locale: "zh-CN", device: "wechat", openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" };
  const wayOf = (over: Partial<GatewayBuyer> = {}) => shop.account.wayOf?.({ ...buyer, ...over });

  test("is the same for the same person in WeChat, and another for others, without revealing who they are", () => {
    expect(wayOf()).toMatch(/^jsapi [\w-]{12}$/);
    expect(wayOf({ ip: "198.51.100.1" })).toBe(wayOf());
    expect(wayOf({ openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6p" })).not.toBe(wayOf());
    expect(wayOf({ openid: null })).toBe("native");
  });

  test("is the same for a phone at the same address, and another elsewhere", () => {
    expect(wayOf({ device: "phone" })).toMatch(/^h5 [\w-]{12}$/);
    expect(wayOf({ device: "phone", ip: "198.51.100.1" })).not.toBe(wayOf({ device: "phone" }));
    expect([wayOf({ device: "phone", ip: null }), wayOf({ device: "desktop" }), wayOf({ device: "alipay" })]).toEqual([
      "native",
      "native",
      "native",
    ]);
  });
});

describe("WeChat's cashier over a page", () => {
  const opened = async (change: (params: Record<string, string>) => Record<string, string> = (params) => params, visitor = "somebody") => {
    const address = identity.addressOf(shop.call, { returnUrl, state });
    const answer = await wechatpay.handle(shop.world, new Request(address, { headers: inWechat }));
    const openid = await identity.read(shop.call, Object.fromEntries(new URL(answer.headers.get("location") ?? "").searchParams));
    const request = newPayment(shop, { buyer: { ip: null, locale: "zh-CN", device: "wechat", openid } });
    const { action } = await shop.account.create(shop.call, request);
    if (action.type !== "wechat_jsapi") throw new Error(action.type);
    const query = new URLSearchParams(change(action.params));
    const headers = { "user-agent": `MicroMessenger visitor/${visitor}` };
    return (await wechatpay.handle(shop.world, new Request(`${shop.world.origin}/jsapi?${query}`, { headers }))).text();
  };

  test("opens with what the shop signed, for the person whom the payment identifies", async () => {
    expect(await opened()).toContain("<span>¥</span>88.00");
  });

  test.each<[string, (params: Record<string, string>) => Record<string, string>, string?]>([
    ["another's payment", (params) => params, "stranger"],
    ["another package", (params) => ({ ...params, package: "prepay_id=wx1" })],
    ["another signature", (params) => ({ ...params, paySign: "AAAA" })],
    ["another kind of signature", (params) => ({ ...params, signType: "MD5" })],
    ["another time", (params) => ({ ...params, timeStamp: "1" })],
    ["another app", (params) => ({ ...params, appId: "wx0000000000000000" })],
  ])("doesn't open for %s", async (_what, change, visitor) => {
    expect(await opened(change, visitor)).toContain('postMessage("fail"');
  });
});
