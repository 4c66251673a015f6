import { describe, expect, test } from "vitest";
import { createOrder, simulatePayment } from "../../../server/src/orders/index.ts";
import { reviewOrder } from "../../../server/src/reconciliation/index.ts";
import { expectAccessible, prepareToIntercept } from "../../../server/test/support/browser/browser.ts";
import { countScript, maxFirstScript, openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { payShop } from "../../../server/test/support/payments/pay-shop.ts";
import { testPassword, visitor } from "../../../server/test/support/people/visitors.ts";

const { app, browser, look, say, origin } = await dashboardApp();
const timeLimit = 120_000;

/** A shop with both codes, and a person of its merchant. */
async function shopWith(role: "owner" | "reviewer" | "viewer") {
  const { tenant } = await payShop(app);
  const person = await visitor(app, { merchant_id: tenant.merchant_id, role });
  return { tenant, person };
}

async function reported(tenant: Parameters<typeof createOrder>[1], reference: string): Promise<string> {
  const { order } = await createOrder(app.ctx, tenant, { amount_minor: 9900, currency: "CNY", reference });
  await simulatePayment(app.ctx, tenant, { order_id: order.id, outcome: "pending_verify" });
  return order.id;
}

describe(`in ${look.language} and ${look.theme}`, () => {
  test(
    "an owner signs in, and the first load stays small",
    async () => {
      const { person } = await shopWith("owner");
      const { page, complaints } = await openDashboard(browser, { origin, look });
      const scriptBytes = countScript(page);
      await page.goto(`${origin}/dashboard`);
      await page.getByLabel(say("Email", "邮箱")).fill(person.email);
      await page.getByLabel(say("Password", "密码"), { exact: true }).fill(testPassword);
      const signIn = page.getByRole("button", { name: say("Sign in", "登录"), exact: true });
      // A mouse that stays where it clicked would be over a link of the overview, whose page is then preloaded.
      await (look.onPhone ? signIn.tap() : signIn.click());
      await page.getByRole("heading", { level: 1, name: say("Overview", "概览") }).waitFor();
      await expectAccessible(page);
      await page.locator(".skeletons").first().waitFor({ state: "detached" });
      const script = await scriptBytes();
      expect(script).toBeGreaterThan(50_000);
      expect(script).toBeLessThanOrEqual(maxFirstScript);
      expect(complaints.filter((text) => !text.includes("status of 401 "))).toEqual([]);
    },
    timeLimit,
  );

  test(
    "an owner creates an order and sees it paid without a reload",
    async () => {
      const { person } = await shopWith("owner");
      const { page, complaints } = await openDashboard(browser, { origin, look, email: person.email });
      await page.goto(`${origin}/dashboard`);
      await page.getByRole("heading", { level: 1, name: say("Overview", "概览") }).waitFor();
      await page.locator(".skeletons").first().waitFor({ state: "detached" });
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill(say("new order", "新建订单"));
      await page.keyboard.press("Enter");
      await page.getByLabel(say("Amount", "金额")).fill("88.00");
      await page.getByRole("textbox", { name: say("Reference", "订单号") }).fill("INV-1");
      await page.getByRole("button", { name: say("Create order for ¥88.00", "新建订单 ¥88.00") }).click();
      await page.getByRole("heading", { level: 1, name: "INV-1" }).waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: say("Simulate", "模拟") }).click();
      await page.getByRole("menuitem", { name: say("Paid", "付款成功"), exact: true }).click();
      await page.locator(".page-title .badge", { hasText: say("Paid", "已付款") }).waitFor();
      expect(complaints).toEqual([]);
    },
    timeLimit,
  );

  test(
    "a rotated key is shown once, and the old one is refused",
    async () => {
      const { tenant, person } = await shopWith("owner");
      const { page } = await openDashboard(browser, { origin, look, email: person.email });
      await page.goto(`${origin}/dashboard/keys`);
      await page.getByRole("row", { name: /test/ }).getByRole("button").click();
      await page.getByRole("menuitem", { name: say("Rotate", "更换") }).click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: say("Rotate", "更换") })
        .click();
      const secret = await page.getByRole("dialog").locator("code").textContent();
      expect(secret).toMatch(/^svc_test_/);
      expect((await app.api(tenant.key).get("/api/v1/merchant")).body.error.code).toBe("api_key_revoked");
      expect((await app.api(secret ?? "").get("/api/v1/merchant")).status).toBe(200);
      await expectAccessible(page);
    },
    timeLimit,
  );

  test(
    "when removing a member, the keys that they created are offered, and the selected ones end with it",
    async () => {
      const { tenant, person } = await shopWith("owner");
      const leaving = await visitor(app, { merchant_id: tenant.merchant_id, role: "developer" });
      const made = async (name: string) => {
        const key = { name, permissions: ["orders:read"], environment: "test" };
        return (await leaving.in("test").post(`/api/v1/projects/${tenant.project_id}/api-keys`, key)).body.secret as string;
      };
      const [shop, till] = [await made("Web shop"), await made("Till")];
      const { page, complaints } = await openDashboard(browser, { origin, look, email: person.email });
      await page.goto(`${origin}/dashboard/team`);
      await page.getByRole("row", { name: leaving.email }).getByRole("button").click();
      await page.getByRole("menuitem", { name: say("Remove", "移除") }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText(say("2 API keys keep working", "2 个 API 密钥仍然有效")).waitFor();
      expect(await dialog.getByRole("checkbox", { checked: true }).count()).toBe(0);
      await dialog.getByRole("checkbox", { name: "Web shop" }).check();
      await expectAccessible(page);
      await dialog.getByRole("button", { name: say("Remove and revoke 1 key", "移除并撤销 1 个密钥") }).click();
      await dialog.waitFor({ state: "detached" });
      const works = async (secret: string) => (await app.api(secret).get("/api/v1/orders")).status;
      expect([await works(shop), await works(till)]).toEqual([401, 200]);
      expect(complaints).toEqual([]);
    },
    timeLimit,
  );

  test(
    "a reviewer approves by thumb on a phone, and sees a calm notice if another reviewer was faster",
    async () => {
      const { tenant, person } = await shopWith("reviewer");
      const [first, second] = [await reported(tenant, "INV-A"), await reported(tenant, "INV-B")];
      const { page, complaints } = await openDashboard(browser, { origin, look, onPhone: true, email: person.email });
      await prepareToIntercept(page);
      await page.goto(`${origin}/dashboard/review`);
      await page.getByRole("heading", { level: 2, name: "INV-A" }).waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: say("Approve", "通过") }).tap();
      await page.getByRole("heading", { level: 2, name: "INV-B" }).waitFor();
      const statusOf = async (id: string) =>
        (await app.api(tenant.key).get(`/api/v1/projects/${tenant.project_id}/orders/${id}`)).body.status;
      await expect.poll(() => statusOf(first), { timeout: 25_000 }).toBe("paid");
      await page.route("**/orders?*", (route) => route.abort());
      await reviewOrder(app.ctx, tenant, { order_id: second, decision: "reject", reason_code: "not_received" });
      await page.keyboard.press("a");
      await page.getByText(say("INV-B was already decided by someone else", "INV-B 已由他人处理")).waitFor();
      await page.getByRole("heading", { name: say("Nothing to review", "没有待核对的款项") }).waitFor();
      expect(complaints.filter((text) => !/status of 409 |ERR_FAILED/.test(text))).toEqual([]);
    },
    timeLimit,
  );

  test(
    "a viewer can't change anything",
    async () => {
      const { tenant, person } = await shopWith("viewer");
      const id = await reported(tenant, "INV-V");
      const { page } = await openDashboard(browser, { origin, look, email: person.email });
      for (const path of ["/orders", `/orders/${id}`, "/review", "/codes", "/settings"]) {
        await page.goto(`${origin}/dashboard/${path === "/orders" ? "orders" : path.slice(1)}`);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.locator(".skeletons").first().waitFor({ state: "detached" });
        const offered = await page.locator("main button:visible").allInnerTexts();
        const changing = say(
          "New order|Approve|Reject|Simulate|Actions|Edit|Save|Upload code",
          "新建订单|通过|驳回|模拟|操作|编辑|保存|添加收款码",
        );
        expect(offered.filter((text) => new RegExp(`^(${changing})`).test(text))).toEqual([]);
      }
    },
    timeLimit,
  );

  test(
    "two tabs, TEST and LIVE, don't switch each other, and the second of two editors gets a conflict, not a lost update",
    async () => {
      const { person } = await shopWith("owner");
      const { page: one } = await openDashboard(browser, { origin, look, email: person.email });
      await one.goto(`${origin}/dashboard/settings`);
      const field = (page: typeof one) => page.getByLabel(say("Name", "名称"), { exact: true });
      await field(one).fill("First");
      const two = await one.context().newPage();
      await two.goto(one.url().replace("/test/", "/live/"));
      await field(two).fill("Second");
      const save = (page: typeof one) =>
        page
          .locator("form", { has: field(page) })
          .getByRole("button")
          .click();
      await save(two);
      await two.getByText(say("Saved", "已保存")).first().waitFor();
      await save(one);
      await one.getByText(say("Someone else just changed this", "其他人刚刚修改过这里")).first().waitFor();
      await expect.poll(() => field(one).inputValue()).toBe("Second");
      expect([one.url(), two.url()].map((url) => /\/(test|live)\//.exec(url)?.[1])).toEqual(["test", "live"]);
    },
    timeLimit,
  );
});
