import { expect, test } from "vitest";
import { putProfile } from "../../../../server/src/collection/index.ts";
import { createOrder, startPayment } from "../../../../server/src/orders/index.ts";
import { expectAccessible, screenshot } from "../../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../../server/test/support/dashboard/dashboard-app.ts";
import { runStatement } from "../../../../server/test/support/database/statement.sql.ts";
import { enteredProvider, gatewayDesk } from "../../../../server/test/support/desks/gateway-desk.ts";
import { alipayCode } from "../../../../server/test/support/payments/pay-shop.ts";
import { testPassword, visitor } from "../../../../server/test/support/people/visitors.ts";

interface Gateway {
  slug: string;
  configured: boolean;
}

const { provider, gateways } = await enteredProvider();
const dashboard = await dashboardApp({ gateways });
const { app, say } = dashboard;
const { open, shot, refused } = gatewayDesk(dashboard);
const timeLimit = 180_000;

test(
  "the setup is tested by one button, which shows what the provider refuses, and callbacks and requests are listed with their reasons",
  async () => {
    const { page, complaints, go, account } = await open();
    const id = await account("sk-good-2", "Main");
    await app.api().call("POST", `/api/payments/testpay/webhook/${id}`, { payload: "forged", headers: { "content-type": "text/plain" } });
    await go(`/gateways/testpay/${id}`);
    provider.script({ status: 401, body: "no such key" });
    await page.getByRole("button", { name: say("Run setup test", "检查设置") }).click();
    await page
      .getByText(/no such key/)
      .first()
      .waitFor();
    await page.getByText(say("Something needs to be fixed.", "有问题需要处理。")).waitFor();
    await screenshot(page, shot("account"));
    await expectAccessible(page);
    await page.getByText(say("Wrong signature", "签名不符")).waitFor();
    await page.locator("table.rows").first().locator(".row-link").first().click();
    await page.getByRole("dialog").getByText(say("Message", "信息"), { exact: true }).waitFor();
    await screenshot(page, shot("request"));
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  },
  timeLimit,
);

test(
  "accounts change places, are paused and limited, and get new credentials once the person has confirmed their identity again",
  async () => {
    const { page, complaints, go, account, list } = await open();
    const [first, second] = [await account("sk-good-3", "First"), await account("sk-good-4", "Second")];
    await go("/gateways");
    await page.getByRole("button", { name: say("Move up: Second", "上移：Second") }).click();
    await expect.poll(async () => (await list()).map(({ id }) => id)).toEqual([second, first]);
    await screenshot(page, shot("list"));
    await expectAccessible(page);
    await go(`/gateways/testpay/${first}`);
    await page.getByRole("button", { name: say("Pause", "暂停"), exact: true }).click();
    await expect.poll(async () => (await list()).find(({ id }) => id === first)?.enabled).toBe(false);
    await page.getByRole("button", { name: say("Actions", "操作"), exact: true }).click();
    await page.getByRole("menuitem", { name: say("Edit account", "编辑账户") }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(say("Minimum amount (EUR)", "单笔最低（EUR）")).fill("200");
    await dialog.getByLabel(say("Maximum amount (EUR)", "单笔最高（EUR）")).fill("100");
    await dialog.getByRole("button", { name: say("Save", "保存") }).click();
    await dialog.getByText(say("The maximum can't be lower than the minimum.", "上限不能低于下限。")).first().waitFor();
    await dialog.getByLabel(say("Maximum amount (EUR)", "单笔最高（EUR）")).fill("300");
    await screenshot(page, shot("edit"));
    await expectAccessible(page);
    await dialog.getByRole("button", { name: say("Save", "保存") }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await list()).find(({ id }) => id === first)).toMatchObject({ limits: { min_minor: 20_000, max_minor: 30_000 } });
    app.clock.advance(700_000);
    await page.getByRole("button", { name: say("Actions", "操作"), exact: true }).click();
    await page.getByRole("menuitem", { name: say("Change credentials", "更换凭据") }).click();
    await dialog.getByLabel("secret", { exact: true }).fill("sk-fresh-5");
    await dialog.getByRole("button", { name: say("Change credentials", "更换凭据") }).click();
    await page.getByLabel(say("Password", "密码"), { exact: true }).fill(testPassword);
    await page.getByRole("button", { name: say("Confirm", "确认"), exact: true }).click();
    await page.getByText(say("Old credentials accepted until", "旧凭据有效期至")).waitFor();
    expect(complaints.filter((text) => !refused(text))).toEqual([]);
  },
  timeLimit,
);

test(
  "owners change the order of the payment page, receiving codes included, and others only see it",
  async () => {
    const { page, complaints, go, account, api, tenant } = await open("owner");
    await account("sk-good-6", "Main");
    await putProfile(app.ctx, tenant, { channel: "alipay", if_version: null, qr_payload: alipayCode, enabled: true });
    const order = async () => {
      const { data } = (await api.get(`/api/v1/projects/${tenant.project_id}/gateways`)).body as unknown as { data: Gateway[] };
      return data.filter(({ configured }) => configured).map(({ slug }) => slug);
    };
    await go("/gateways");
    const list = page.locator(".page-order li");
    await expect.poll(() => list.count()).toBe(2);
    expect(await order()).toEqual(["alipay", "testpay"]);
    await page.getByRole("button", { name: say("Move up: Test Pay", "上移：测试支付") }).click();
    await expect.poll(order).toEqual(["testpay", "alipay"]);
    await expect.poll(() => list.first().textContent()).toContain(say("Test Pay", "测试支付"));
    await screenshot(page, shot("order"));
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    const developer = await visitor(app, { merchant_id: tenant.merchant_id, role: "developer" });
    const other = await openDashboard(dashboard.browser, { origin: dashboard.origin, look: dashboard.look, email: developer.email });
    await other.page.goto(page.url());
    await other.page.locator(".page-order li").first().waitFor();
    expect(await other.page.locator(".page-order button").count()).toBe(0);
  },
  timeLimit,
);

test(
  "in TEST a gateway without an account is tried in demo mode, which needs no credentials and is switched off again",
  async () => {
    const { page, complaints, go, list } = await open();
    await go("/gateways");
    const tryIt = page.getByRole("button", { name: say("Try in demo mode: Test Pay", "试用演示模式：测试支付") });
    await screenshot(page, shot("none"));
    await tryIt.click();
    await page.getByRole("heading", { name: say("Demo account", "演示账户"), level: 1 }).waitFor();
    expect(await list()).toMatchObject([{ demo: true }]);
    await page.getByRole("button", { name: say("Create a test order", "创建测试订单") }).waitFor();
    for (const name of [say("Callback address", "回调地址"), say("Setup", "设置检查")])
      expect(await page.getByRole("heading", { name }).count()).toBe(0);
    expect(await page.getByRole("button", { name: say("Actions", "操作"), exact: true }).count()).toBe(0);
    await screenshot(page, shot("demo"));
    await expectAccessible(page);
    await page.getByRole("button", { name: say("Turn off demo mode", "关闭演示模式") }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: say("Turn off demo mode", "关闭演示模式") })
      .click();
    await tryIt.waitFor();
    expect(await list()).toEqual([]);
    await page.goto(page.url().replace("/test/", "/live/"));
    await page.getByRole("heading", { name: say("Add a gateway", "添加支付渠道") }).waitFor();
    expect(await tryIt.count()).toBe(0);
    // A repeated read is gone if the page is left during it.
    expect(complaints.filter((text) => !refused(text))).toEqual([]);
  },
  timeLimit,
);

test(
  "next to a merchant's own account, a demo account is shown as not in use, and no gateway with an account offers demo mode",
  async () => {
    const { page, complaints, go, account, api, at } = await open();
    expect((await api.post(at, { demo: true })).status).toBe(201);
    await account("sk-good-8", "Main");
    await go("/gateways");
    await page.getByText(say("Not in use", "未使用")).waitFor();
    expect(await page.getByRole("button", { name: say("Move up", "上移") }).count()).toBe(0);
    expect(await page.getByRole("button", { name: say("Try in demo mode", "试用演示模式") }).count()).toBe(0);
    expect(complaints).toEqual([]);
  },
  timeLimit,
);

test(
  "an account's page shows how its payments compare with the provider's list, and links to the exceptions if they differ",
  async () => {
    const { page, complaints, go, account } = await open();
    const id = await account("sk-good-9", "Main");
    const compared = (status: string, error: object | null = null) =>
      runStatement(
        app.ctx.db,
        "update gateway_comparisons set status = ?, error = ?::jsonb, ran_at = app_now(), compared_until = app_now(), lines = 214, differences = 3 where credential_id = ?",
        ...[status, error === null ? null : JSON.stringify(error), id],
      );
    const reload = () => go(`/gateways/testpay/${id}`);
    await reload();
    await page.getByText(say("hasn't been compared yet", "还没有完成过一整天的对账")).waitFor();
    await compared("equal");
    await reload();
    await page.getByText(say("matches your books", "结算明细与账目一致")).waitFor();
    await compared("failed", { code: "timeout", message: "No answer." });
    await reload();
    await page.getByText(say("list of settled payments: it didn't respond in time.", "的结算明细：响应超时。")).waitFor();
    await compared("unlisted");
    await reload();
    await page.getByText(say("doesn't provide a list of settled payments", "没有可供核对的结算明细")).waitFor();
    await compared("different");
    await reload();
    await page.getByText(say("Differences found", "存在差异")).waitFor();
    await page.getByText("214").waitFor();
    await screenshot(page, shot("compared"));
    await expectAccessible(page);
    await page.getByRole("link", { name: say("View exceptions", "查看异常") }).click();
    await page.getByRole("heading", { name: say("Exceptions", "异常"), level: 1 }).waitFor();
    expect(page.url()).toContain("/exceptions?gateway=testpay");
    expect(complaints).toEqual([]);
  },
  timeLimit,
);

test(
  "an order shows its payment as the provider has it, and links to the requests of this payment",
  async () => {
    const { page, complaints, tenant, go, account } = await open();
    await account("sk-good-6", "Main");
    const { order } = await createOrder(app.ctx, tenant, { amount_minor: 9900, currency: "EUR", reference: "AT-PROVIDER" });
    await startPayment(app.ctx, tenant, { order_id: order.id, gateway: "testpay" });
    await go(`/orders/${order.id}`);
    await page.getByRole("heading", { name: say("Gateway payments", "支付渠道付款") }).waitFor();
    await screenshot(page, shot("order"));
    await page.getByRole("link", { name: say("View requests to the provider", "查看向支付机构发出的请求") }).click();
    await page.getByText(say("Start payment", "发起付款")).first().waitFor();
    await expect.poll(() => page.locator("table.rows").first().locator("tbody tr").count()).toBe(1);
    expect(complaints).toEqual([]);
  },
  timeLimit,
);

test(
  "a viewer sees accounts and changes none, and a reviewer isn't offered the page",
  async () => {
    const viewer = await open("viewer");
    const id = await viewer.account("sk-good-7", "Main");
    await viewer.go(`/gateways/testpay/${id}`);
    await viewer.page.getByRole("heading", { name: "Main", level: 1 }).waitFor();
    for (const name of [say("Run setup test", "检查设置"), say("Pause", "暂停"), say("Actions", "操作")])
      expect(await viewer.page.getByRole("button", { name, exact: true }).count()).toBe(0);
    const reviewer = await open("reviewer");
    await reviewer.go("/orders");
    expect(await reviewer.page.locator('a[href$="/gateways"]').count()).toBe(0);
    expect([...viewer.complaints, ...reviewer.complaints]).toEqual([]);
  },
  timeLimit,
);
