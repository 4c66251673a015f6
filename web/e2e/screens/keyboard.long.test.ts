import type { FileChooser, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { drawQrPng } from "../../../server/src/assets/index.ts";
import type { TestTenant } from "../../../server/test/support/app/test-app.ts";
import { prepareToIntercept } from "../../../server/test/support/browser/browser.ts";
import { keyboardOn } from "../../../server/test/support/browser/keyboard.ts";
import { type Look, openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { wechatCode } from "../../../server/test/support/payments/pay-shop.ts";
import { visitor } from "../../../server/test/support/people/visitors.ts";
import { photo } from "../../../server/test/support/pictures/pictures.ts";

const { app, browser, origin } = await dashboardApp();
const patience = { timeout: 25_000 };

describe.each([
  { language: "en", theme: "light" },
  { language: "zh", theme: "dark" },
] satisfies Look[])("only by keyboard, in $language and $theme", (look) => {
  const say = (en: string, zh: string) => (look.language === "zh" ? zh : en);
  const words = { close: say("Close", "关闭"), copy: say("Copy", "复制"), copied: say("Copied", "已复制") };
  const actions = say("Actions", "操作");
  const actionsOf = (name: string) => say(`Actions: ${name}`, `操作：${name}`);

  /** An owner of a new merchant at one of its screens, with the focus at the screen's top. */
  async function enter(
    path: string,
    { before, ...options }: { is_operator?: boolean; before?(tenant: TestTenant): Promise<unknown> } = {},
  ) {
    const tenant = await app.tenant();
    const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner", ...options });
    await before?.(tenant);
    const { page, complaints } = await openDashboard(browser, { origin, look, email: person.email });
    await prepareToIntercept(page);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin });
    await page.goto(`${origin}/dashboard${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.locator(".skeletons").first().waitFor({ state: "detached" });
    const keys = keyboardOn(page);
    await keys.tabTo(say("Skip to content", "跳到正文"));
    await keys.press("Enter");
    return { tenant, page, complaints: () => complaints.filter((text) => !/status of 4\d\d /.test(text)), ...keys };
  }

  const shown = (page: Page) => page.getByRole("dialog").locator("code");
  const inClipboard = (page: Page) => page.evaluate("navigator.clipboard.readText()");

  test("an API key is created, copied, rotated and revoked", async () => {
    const { page, press, type, tabTo, opened, closed, choose, pressHeld, complaints } = await enter("/keys");
    const create = say("New key", "新建密钥");
    await tabTo(create);
    await press("Enter");
    await opened();
    await press("Escape");
    await closed(create);
    await press("Enter");
    await opened();
    await type("Till 1");
    await press("Enter");
    await shown(page).getByText("svc_test_").waitFor();
    await tabTo(words.copy);
    await press("Enter");
    await page.getByRole("button", { name: words.copied }).waitFor();
    const secret = String(await inClipboard(page));
    expect(secret).toBe(await shown(page).textContent());
    expect((await app.api(secret).get("/api/v1/merchant")).status).toBe(200);
    await tabTo(words.close);
    await press("Enter");
    await closed(create);

    const menu = actionsOf("Till 1");
    await choose(menu, say("Rotate", "更换"));
    await opened();
    await tabTo(say("Rotate", "更换"));
    await pressHeld(/\/rotate$/);
    await expect.poll(() => shown(page).textContent(), patience).toMatch(/^svc_test_/);
    const next = (await shown(page).textContent()) ?? "";
    await tabTo(words.close);
    await press("Enter");
    await closed();
    expect((await app.api(secret).get("/api/v1/merchant")).body.error.code).toBe("api_key_revoked");

    await choose(menu, say("Revoke", "撤销"));
    await opened();
    await tabTo(say("Revoke", "撤销"));
    await press("Enter");
    await closed();
    await page.getByRole("button", { name: menu }).waitFor({ state: "detached" });
    await closed();
    expect((await app.api(next).get("/api/v1/merchant")).body.error.code).toBe("api_key_revoked");
    expect(complaints()).toEqual([]);
  });

  test("a webhook is created after its URL was refused, and tested", async () => {
    const { page, press, type, has, tabTo, opened, closed, pressHeld, complaints } = await enter("/webhooks");
    const create = say("New webhook", "新建 Webhook");
    await tabTo(create);
    await press("Enter");
    await opened();
    await type("https://10.0.0.1/hooks");
    await press("Enter");
    await has({ name: say("Endpoint", "地址"), isFaulty: true });
    await press("Control+a");
    await type("https://shop.example/hooks");
    await press("Enter");
    await shown(page).getByText("whsec_").waitFor();
    await press("Escape");
    await tabTo(words.close);
    await press("Enter");
    await closed(create);
    await tabTo("https://shop.example/hooks");
    await press("Enter");
    await page.getByRole("heading", { level: 1, name: "shop.example" }).waitFor();
    await has({ isBody: false });

    const test = say("Send test", "发送测试");
    await tabTo(test);
    await pressHeld(/\/test$/);
    await has({ name: test });
    expect(complaints()).toEqual([]);
  });

  test("a webhook's secret is rolled, and the webhook deleted", async () => {
    const { page, press, tabTo, opened, closed, choose, complaints } = await enter("/webhooks", {
      before: ({ key, project_id }) =>
        app.api(key).post(`/api/v1/projects/${project_id}/webhooks`, { url: "https://shop.example/hooks", events: ["order.paid"] }),
    });
    await tabTo("https://shop.example/hooks");
    await press("Enter");
    await page.getByRole("heading", { level: 1, name: "shop.example" }).waitFor();
    const roll = say("Roll secret", "更换密钥");
    await choose(actions, roll);
    await opened();
    await press("Escape");
    await closed(actions);
    await choose(actions, roll);
    await opened();
    await tabTo(roll);
    await press("Enter");
    await shown(page).getByText("whsec_").waitFor();
    await tabTo(words.close);
    await press("Enter");
    await closed(actions);
    await choose(actions, say("Delete", "删除"));
    await opened();
    await tabTo(say("Delete", "删除"));
    await press("Enter");
    await page.getByRole("heading", { level: 1, name: say("Webhooks", "Webhook"), exact: true }).waitFor();
    await closed();
    expect(complaints()).toEqual([]);
  });

  test("a colleague is invited after a typo in the address, and the invitation withdrawn", async () => {
    const { page, press, type, has, tabTo, opened, closed, complaints } = await enter("/team");
    const invite = say("Invite", "邀请");
    await tabTo(invite);
    await press("Enter");
    await opened();
    await type("guest@");
    await press("Enter");
    await has({ name: say("Email", "邮箱"), isFaulty: true });
    await type("tea.example");
    await press("Enter");
    await closed(invite);
    const withdraw = say("Withdraw", "撤回");
    await tabTo(withdraw);
    await press("Enter");
    await opened();
    await tabTo(withdraw);
    await press("Enter");
    await closed();
    await page.getByText("guest@tea.example").waitFor({ state: "detached" });
    await closed();
    expect(complaints()).toEqual([]);
  });

  test("a colleague's role is changed, and the colleague removed", async () => {
    let email = "";
    const before = async ({ merchant_id }: TestTenant) => void ({ email } = await visitor(app, { merchant_id, role: "reviewer" }));
    const { page, press, ready, tabTo, opened, closed, choose, complaints } = await enter("/team", { before });
    const menu = (await page.getByRole("row", { name: email }).getByRole("button").getAttribute("aria-label")) ?? "";
    await choose(menu, say("Change role", "更改角色"));
    await opened();
    await tabTo(say("Reviewer", "核对员"));
    await press("ArrowDown");
    await press("Enter");
    await closed(menu);
    await page.getByRole("row", { name: email }).getByText(say("Accountant", "会计")).waitFor();
    await choose(menu, say("Remove", "移除"));
    await opened();
    await tabTo(say("Remove", "移除"));
    await ready();
    await press("Enter");
    await page.getByText(email).waitFor({ state: "detached" });
    await closed();
    expect(complaints()).toEqual([]);
  });

  test("a receiving code is uploaded after a picture without one", async () => {
    const { page, press, tabTo, opened, closed, pressHeld, complaints } = await enter("/codes");
    const add = say("Upload code", "添加收款码图片");
    const chosen = async (name: string, buffer: Buffer) => {
      const chooser: Promise<FileChooser> = page.waitForEvent("filechooser");
      await press("Enter");
      await (await chooser).setFiles({ name, mimeType: "image/png", buffer });
    };
    // Listened to from now on: the first key would be too fast for it.
    page.on("filechooser", () => {});
    await tabTo(add);
    await press("Enter");
    await opened();
    await tabTo(add);
    await chosen("photo.png", await photo(400, 400));
    await page.getByRole("dialog").getByRole("alert").waitFor();
    expect(await page.evaluate("document.activeElement.type")).toBe("file");
    await chosen("code.png", Buffer.from(drawQrPng(wechatCode, { scale: 8 })));
    await page.getByRole("dialog").getByText(wechatCode).waitFor();
    await tabTo(say("Save", "保存"));
    await pressHeld(/\/collection-profiles\//);
    await closed(say("Edit", "编辑"));
    await page.locator(".code-card .badge", { hasText: say("Active", "使用中") }).waitFor();
    expect(complaints()).toEqual([]);
  });

  test("a domain is added after its name was refused, a record copied, and checked", async () => {
    const { page, press, type, has, tabTo, opened, closed, pressHeld, complaints } = await enter("/domains");
    const add = say("Add domain", "添加域名");
    await tabTo(add);
    await tabTo(add);
    await press("Enter");
    await opened();
    await press("Escape");
    await closed(add);
    await press("Enter");
    await opened();
    await type("no domain");
    await press("Enter");
    await has({ name: say("Domain", "域名"), isFaulty: true });
    await press("Control+a");
    await type(`tea-${look.language}.example`);
    await press("Enter");
    // The button of the empty list is gone; the other one is not.
    await closed(add);
    await page.locator(".record").first().waitFor();
    await tabTo(words.copy);
    await press("Enter");
    await has({ name: words.copied });
    expect(await inClipboard(page)).toBe(await page.locator(".record code").first().textContent());
    await page.locator(".domain").getByRole("button").first().waitFor();
    const check = say("Check now", "立即检查");
    await tabTo(check);
    await pressHeld(/\/verify$/);
    await has({ name: check });
    expect(complaints()).toEqual([]);
  });

  test("a filter keeps the focus while the page is scrolled past it, and returns it", async () => {
    const { page, press, tabTo, opened, has, closed } = await enter("/orders");
    await page.setViewportSize({ width: 1200, height: 120 });
    const status = say("Status", "状态");
    await tabTo(status);
    await press("Enter");
    await opened();
    await page.mouse.wheel(0, 2_000);
    const chip = page.locator(".chip", { hasText: status });
    await expect.poll(async () => ((await chip.boundingBox())?.y ?? 0) < -50, patience).toBe(true);
    await has({ isInDialog: true });
    await press("Escape");
    await closed(status);
  });

  test("an operator verifies one merchant and rejects another with a reason", async () => {
    const waiting = [await app.tenant({ verified: false }), await app.tenant({ verified: false })];
    const { page, press, type, tabTo, opened, closed, choose, pressHeld, complaints } = await enter("/operator/merchants?status=pending", {
      is_operator: true,
    });
    const rows = page.locator("tbody tr");
    await expect.poll(() => rows.count(), patience).toBe(waiting.length);
    await tabTo(say("Verify: Corner Books", "通过审核：Corner Books"));
    await pressHeld(/\/verify$/);
    await expect.poll(() => rows.count(), patience).toBe(1);
    await closed();
    const reject = say("Reject", "驳回");
    await choose(actionsOf("Corner Books"), reject);
    await opened();
    await press("Escape");
    await closed(actionsOf("Corner Books"));
    await choose(actionsOf("Corner Books"), reject);
    await opened();
    await type("The papers are of another shop");
    await tabTo(reject);
    await pressHeld(/\/reject$/);
    await closed();
    await page.locator(".empty").waitFor();
    await closed();
    expect(complaints()).toEqual([]);
  });
});
