import { expect, it } from "vitest";
import { simulatePayment } from "#orders/index.ts";
import { expectProofKept, nearLimits } from "#test/support/buyers/not-now.ts";
import { payPageApp } from "#test/support/payments/pay-page-app.ts";

const buyers = await payPageApp(nearLimits);
const { at, shop, paying } = buyers;

it("a proof sent offline is kept on the device while the server refuses it for now, and arrives once", async () => {
  await expectProofKept(buyers, "offline");
});

it("a page whose form was answered by a page without the order keeps following it", async () => {
  const { page, order, token } = await paying();
  while ((await at.api(null).get(`/api/public/pay/${token}`)).status !== 429);
  await page.getByRole("button", { name: "Alipay" }).click();
  await page.locator("#problem").waitFor();
  expect(await page.locator("#main").getAttribute("data-token")).toBe(token);
  at.clock.advance(61_000);
  await simulatePayment(at.ctx, shop.tenant, { order_id: order.id });
  await page.getByRole("heading", { name: "Paid" }).waitFor();
});
