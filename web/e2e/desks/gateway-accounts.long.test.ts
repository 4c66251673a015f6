import { expect, test } from "vitest";
import { expectAccessible, screenshot } from "../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { certificateNames, enteredProvider, gatewayDesk, modeNames } from "../../../server/test/support/desks/gateway-desk.ts";

const { gateways } = await enteredProvider();
const dashboard = await dashboardApp({ gateways });
const { look, say } = dashboard;
const timeLimit = 180_000;
const { open, shot, refused } = gatewayDesk(dashboard);

test(
  "an account is added with every fault at its field, its callback URL is entered, and the setup says what is left",
  async () => {
    const { page, complaints, go, list } = await open();
    await go("/gateways");
    await page.getByRole("link", { name: say("Set up Test Pay", "设置测试支付") }).click();
    expect(await page.getByLabel("certificate").count()).toBe(0);
    const [key, secret] = [page.getByLabel("key", { exact: true }), page.getByLabel("secret", { exact: true })];
    expect(await secret.getAttribute("type")).toBe("password");
    const mode = page.getByRole("combobox", { name: modeNames[look.language] });
    expect(await mode.inputValue()).toBe(say("By code", "扫码"));
    await mode.click();
    await page.getByRole("option", { name: say("On a page", "跳转") }).click();
    await key.fill("something else");
    await secret.fill("two words");
    await page.getByRole("button", { name: say("Check and add", "验证并添加") }).click();
    await expect.poll(() => page.locator("[aria-invalid=true]").count()).toBe(2);
    await screenshot(page, shot("faults"));
    await expectAccessible(page);
    await key.fill("tp_test_1");
    await secret.fill("wrong-secret");
    await page.getByRole("button", { name: say("Check and add", "验证并添加") }).click();
    await page.getByRole("alert").waitFor();
    expect(await list()).toEqual([]);
    await secret.fill("sk-good-1");
    await page.getByRole("button", { name: say("Check and add", "验证并添加") }).click();
    await page.getByRole("heading", { name: "Corner Books", level: 1 }).waitFor();
    expect((await list())[0]?.fields["mode"]?.value).toBe("page");
    await page.getByText(say("Callbacks are refused until you fill in “Certificate”.", "保存证书之前，回调都会被拒。")).waitFor();
    await screenshot(page, shot("added"));
    await expectAccessible(page);
    await page.getByLabel(certificateNames[look.language], { exact: true }).fill("-----BEGIN\nthat of callbacks");
    await page.getByRole("button", { name: say("Save", "保存"), exact: true }).click();
    await page.locator(".saved-field").waitFor();
    await page.getByText(say("No callbacks yet.", "尚未收到")).waitFor();
    expect(complaints.filter((text) => !refused(text))).toEqual([]);
  },
  timeLimit,
);
