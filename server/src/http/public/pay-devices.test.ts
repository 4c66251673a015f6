import { describe, expect, test } from "vitest";
import { listSessionRows } from "#orders/rows/sessions.sql.ts";
import { wechatAgent, wechatApp } from "#test/support/gateways/simulated/wechat-app.ts";
import { comeBack, visitorsOf } from "#test/support/people/visitor-browser.ts";

const { app, shop: openShop, transaction, simulate } = await wechatApp();
const browserOf = visitorsOf(app, "wechatpay_merchant");
const inWechat = () => browserOf(wechatAgent());
const phoneAgent = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Mobile/15E148 Safari/604.1";
const desktopAgent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0";
const weComAgent = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) wxwork/4.1.26 MicroMessenger/7.0.1 Language/zh";

const sessionsOf = async (shop: Awaited<ReturnType<typeof openShop>>, order_id: string) =>
  (await listSessionRows(app.ctx.db, shop.tenant, [order_id])).toSorted((one, other) => (one.id < other.id ? -1 : 1));
describe("an open payment follows the buyer to another device", () => {
  test.each([
    ["a desktop", desktopAgent, "native", `pay`],
    ["a phone's own browser", phoneAgent, "h5", "go"],
  ])("from WeChat to %s, where it is closed and created again", async (_what, agent, way, place) => {
    const shop = await openShop();
    const { token, order } = await shop.order();
    await comeBack(inWechat(), token);
    const other = browserOf(agent);
    expect((await other.page(`/pay/${token}`)).text).toContain("Continue to WeChat Pay");
    expect(await other.page(`/pay/${token}/go`)).toMatchObject({ status: 303, headers: { location: `/pay/${token}` } });
    expect((await other.choose(token)).headers["location"]).toBe(place === "go" ? `/pay/${token}/go` : `/pay/${token}`);
    const sessions = await sessionsOf(shop, order.id);
    expect(sessions.map(({ status }) => status)).toEqual(["canceled", "pending"]);
    expect(await transaction(sessions[1]?.id ?? "")).toMatchObject({ way });
    expect(await transaction(sessions[0]?.id ?? "")).toMatchObject({ state: "CLOSED" });
  });

  test("from a desktop's code to WeChat, if the page offers it", async () => {
    const shop = await openShop();
    const { token, order } = await shop.order();
    await browserOf(desktopAgent).choose(token);
    const visitor = inWechat();
    expect((await visitor.page(`/pay/${token}`)).text).toContain("Pay on this device");
    await comeBack(visitor, token);
    expect(await transaction((await sessionsOf(shop, order.id))[1]?.id ?? "")).toMatchObject({ way: "jsapi" });
  });

  test("on a phone whose address changed, but not if it is the same", async () => {
    const shop = await openShop();
    const { token, order } = await shop.order();
    await browserOf(phoneAgent).choose(token);
    await browserOf(phoneAgent).choose(token);
    expect(await sessionsOf(shop, order.id)).toHaveLength(1);
    await browserOf(phoneAgent, "198.51.100.4").choose(token);
    expect((await sessionsOf(shop, order.id)).map(({ status }) => status)).toEqual(["canceled", "pending"]);
  });

  test("if both see a code, the payment remains, and its page no longer offers another", async () => {
    const shop = await openShop({ h5: "off" });
    const { token, order } = await shop.order();
    await browserOf(desktopAgent).choose(token);
    const onPhone = browserOf(phoneAgent);
    expect((await onPhone.page(`/pay/${token}`)).text).toContain("Pay on this device");
    await onPhone.choose(token);
    expect(await sessionsOf(shop, order.id)).toHaveLength(1);
    expect((await onPhone.page(`/pay/${token}`)).text).not.toContain("Pay on this device");
  });

  test("unless it is paid in the meantime: then that counts", async () => {
    const shop = await openShop();
    const { token, order } = await shop.order();
    await comeBack(inWechat(), token);
    const [session] = await sessionsOf(shop, order.id);
    await simulate(session?.id ?? "", "silent");
    const other = browserOf(desktopAgent);
    expect((await other.choose(token)).headers["location"]).toBe(`/pay/${token}?problem=order_already_paid`);
    expect((await other.page(`/pay/${token}`)).text).toContain('data-state="paid"');
    expect(await sessionsOf(shop, order.id)).toHaveLength(1);
  });
});

test("a phone outside WeChat is redirected to WeChat Pay's page, which only learns the host that it comes from", async () => {
  const { token } = await (await openShop()).order();
  const visitor = browserOf(phoneAgent);
  await visitor.choose(token);
  const going = await visitor.page(`/pay/${token}/go`);
  expect(going.headers["referrer-policy"]).toBe("strict-origin");
  expect(going.text).toContain('<meta name="referrer" content="strict-origin">');
  const address = new URL(await visitor.leads(token));
  expect(address.searchParams.get("redirect_url")).toBe(`http://localhost:8080/pay/${token}?back=paid`);
  expect((await visitor.page(`/pay/${token}`)).headers["referrer-policy"]).toBe("no-referrer");
});

test("WeCom, which also calls itself WeChat, counts as a phone's browser", async () => {
  const shop = await openShop();
  const { token, order } = await shop.order();
  await browserOf(weComAgent).choose(token);
  expect(await transaction((await sessionsOf(shop, order.id))[0]?.id ?? "")).toMatchObject({ way: "h5" });
});
