import { expect, test } from "vitest";
import { createOrder, simulatePayment } from "../../../server/src/orders/index.ts";
import { reviewOrder } from "../../../server/src/reconciliation/index.ts";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { payShop } from "../../../server/test/support/payments/pay-shop.ts";
import { testPassword, visitor } from "../../../server/test/support/people/visitors.ts";

const { app, browser, look, say, origin } = await dashboardApp();
const timeLimit = 240_000;
const hasKeyboard = (one: unknown) => (one as { matches(selector: string): boolean }).matches(":focus");

async function deskWith(references: string[]) {
  const { tenant } = await payShop(app);
  const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner" });
  const ids: string[] = [];
  for (const reference of references) {
    const { order } = await createOrder(app.ctx, tenant, { amount_minor: 9900, currency: "CNY", reference });
    await simulatePayment(app.ctx, tenant, { order_id: order.id, outcome: "pending_verify" });
    ids.push(order.id);
  }
  const { page } = await openDashboard(browser, { origin, look, email: person.email });
  const waitForOrder = (reference: string) => page.getByRole("heading", { level: 2, name: reference }).waitFor();
  const statusOf = async (id = "") => (await app.api(tenant.key).get(`/api/v1/projects/${tenant.project_id}/orders/${id}`)).body.status;
  return { tenant, ids, page, waitForOrder, statusOf };
}

test(
  "a session that ends hides the page and loses nothing that was typed: the form is there again after signing in",
  async () => {
    const { page } = await deskWith([]);
    await page.goto(`${origin}/dashboard/orders?new=1`);
    const form = page.getByRole("dialog", { name: say("New order", "新建订单") });
    await form.getByLabel(say("Amount", "金额")).fill("12.50");
    await form.getByLabel(say("Reference", "订单号")).fill("INV-typed");
    await page.context().clearCookies({ name: /session/ });
    await form.getByRole("button", { name: say("Create order for ¥12.50", "新建订单 ¥12.50") }).click();
    const again = page.getByRole("dialog", { name: say("Your session has ended", "登录已失效") });
    await again.waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => again.locator("input[type=password]").evaluate(hasKeyboard), { timeout: 25_000 }).toBe(true);
    await page.keyboard.type(testPassword);
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await again.waitFor({ state: "detached" });
    expect(await form.getByLabel(say("Reference", "订单号")).inputValue()).toBe("INV-typed");
    await form.getByRole("button", { name: say("Create order for ¥12.50", "新建订单 ¥12.50") }).click();
    await page.getByRole("heading", { level: 1, name: "INV-typed" }).waitFor();
  },
  timeLimit,
);

test(
  "a payment that another person decides remains on the desk and says so: a press never decides one that wasn't viewed",
  async () => {
    const { tenant, ids, page, waitForOrder, statusOf } = await deskWith(["INV-1", "INV-2", "INV-3"]);
    await page.goto(`${origin}/dashboard/review`);
    await waitForOrder("INV-1");
    await reviewOrder(app.ctx, tenant, { order_id: ids[0] as string, decision: "reject", reason_code: "not_received" });
    await page.getByText(say("INV-1 was rejected by test", "INV-1 已由 test 驳回")).waitFor();
    await page.keyboard.press("a");
    await waitForOrder("INV-1");
    await page.keyboard.press("j");
    await waitForOrder("INV-2");
    // A key that is held down is one decision.
    await page.keyboard.down("a");
    await page.keyboard.down("a");
    await waitForOrder("INV-3");
    await page.keyboard.down("a");
    await page.keyboard.up("a");
    await expect.poll(() => statusOf(ids[1]), { timeout: 25_000 }).toBe("paid");
    expect(await statusOf(ids[2])).toBe("pending_verify");

    await page.getByRole("button", { name: say("Received a different amount", "实际到账金额不同") }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("90");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: say("Nothing to review", "没有待核对的款项") }).waitFor();
    // Leaving the desk sends the decision; the order's page could be read before that has arrived.
    await page.goto("about:blank");
    await expect.poll(() => statusOf(ids[2]), { timeout: 25_000 }).toBe("paid");
    await page.goto(`${origin}/dashboard/orders/${ids[2]}`);
    await page.locator(".facts").getByText(say("Underpaid", "少付")).waitFor();
    await expectAccessible(page);
  },
  timeLimit,
);
