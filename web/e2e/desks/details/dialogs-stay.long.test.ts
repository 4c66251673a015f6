import { expect, test } from "vitest";
import { createOrder } from "../../../../server/src/orders/index.ts";
import { dashboardApp } from "../../../../server/test/support/dashboard/dashboard-app.ts";
import { openShop } from "../../../../server/test/support/dashboard/open-shop.ts";

const dashboard = await dashboardApp();
const { app, say } = dashboard;
const timeLimit = 120_000;

/** A page that came from the first of two orders to the second, without a reload. */
async function openSecond() {
  const { tenant, page, complaints, goto } = await openShop(dashboard);
  const made = async (reference: string) => (await createOrder(app.ctx, tenant, { amount_minor: 4590, currency: "CNY", reference })).order;
  const [first, second] = [await made("INV-1"), await made("INV-2")];
  await goto("/orders");
  await page.getByRole("link", { name: "INV-1" }).first().click();
  await page.getByRole("heading", { name: "INV-1" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill(second.id);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "INV-2" }).waitFor();
  const ask = async () => {
    await page.getByRole("button", { name: say("Actions", "操作"), exact: true }).click();
    await page.getByRole("menuitem", { name: say("Cancel order", "取消订单") }).click();
    await page.getByRole("dialog").waitFor();
  };
  const read = async (id: string) => (await app.api(tenant.key).get(`/v1/orders/${id}`)).body.status;
  return { page, complaints, first, second, ask, read };
}

test(
  "a dialog about one order is gone once the page shows another",
  async () => {
    const { page, complaints, ask } = await openSecond();
    await ask();
    await page.goBack();
    await page.getByRole("heading", { name: "INV-1" }).waitFor();
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    expect(complaints).toEqual([]);
  },
  timeLimit,
);

test(
  "a dialog stays open while its request runs, and shows the refusal that comes then",
  async () => {
    const { page, ask } = await openSecond();
    const held = Promise.withResolvers<void>();
    await page.route("**/orders/*/cancel", async (route) => {
      await held.promise;
      await route.fulfill({
        status: 409,
        contentType: "application/json",
        body: JSON.stringify({ error: { type: "conflict_error", code: "order_state_conflict", message: "It changed." } }),
      });
    });
    await ask();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: say("Cancel order", "取消订单") }).click();
    await dialog.locator("button[data-loading]").waitFor();
    await page.keyboard.press("Escape");
    expect(await dialog.getByRole("button", { name: say("Keep order", "保留订单") }).isDisabled()).toBe(true);
    held.resolve();
    await dialog.getByRole("alert").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  },
  timeLimit,
);
