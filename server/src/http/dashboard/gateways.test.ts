import { beforeAll, expect, test } from "vitest";
import { simulatePayment } from "#orders/index.ts";
import { openBrowser } from "#test/browser.ts";
import { buildDashboard, givenLook, listen, openDashboard } from "#test/dashboard.ts";
import { house } from "#test/house.ts";
import { payShop } from "#test/pay-shop.ts";
import { oddMethods, testPay } from "#test/payment-methods.ts";
import { runStatement } from "#test/statement.sql.ts";
import { visitor } from "#test/visitors.ts";

const home = await house({ methods: oddMethods, http: { perMinuteUnauthenticated: 10_000 } });
const browser = await openBrowser();
const look = givenLook();
const timeLimit = 180_000;
let origin = "";

beforeAll(async () => {
  await buildDashboard();
  origin = await listen(home);
}, timeLimit);

test(
  "the dashboard names a gateway from the list, and filters by it",
  async () => {
    const { tenant, order: makeOrder } = await payShop(home);
    const owner = await visitor(home, { merchant_id: tenant.merchant_id, role: "owner" });
    const { order } = await makeOrder({ reference: "INV-tested" });
    await simulatePayment(home.ctx, tenant, { order_id: order.id });
    await runStatement(home.ctx.db, "update payment_sessions set gateway = ?, method = ? where order_id = ?", testPay.gateway, testPay.name, order.id);
    await makeOrder({ reference: "INV-other" });
    const { page, complaints } = await openDashboard(browser, { origin, look, email: owner.email });
    const name = testPay.names[look.language] ?? "";
    await page.goto(`${origin}/dashboard/orders/${order.id}`);
    await page.getByText(name).first().waitFor();
    await page.goto(`${origin}/dashboard/orders?gateway=testpay`);
    await page.getByText("INV-tested").first().waitFor();
    await page.getByText(name).first().waitFor();
    expect(await page.getByText("INV-other").count()).toBe(0);
    expect(complaints).toEqual([]);
  },
  timeLimit,
);
