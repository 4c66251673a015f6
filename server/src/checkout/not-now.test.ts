import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { simulatePayment } from "#orders/index.ts";
import { payPageApp } from "#test/support/payments/pay-page-app.ts";
import { photo } from "#test/support/pictures/pictures.ts";

const { at, shop, paying, vouchersOf } = await payPageApp({ perMinuteLinkReads: 60, perHourLinkProofs: 1 });
const api = at.api(null);

const useUpProofs = async (token: string) => {
  while ((await api.post(`/api/public/pay/${token}/voucher`, {})).status !== 429);
};
const useUpReads = async (token: string) => {
  while ((await api.get(`/api/public/pay/${token}`)).status !== 429);
};
const isStored = (page: Page, token: string) =>
  page.evaluate(`new Promise((done) => {
    indexedDB.open("tillpost", 1).onsuccess = ({ target }) => {
      const found = target.result.transaction("outbox").objectStore("outbox").get("${token}");
      found.onsuccess = () => done(found.result !== undefined);
    };
  })`);

it.each(["online", "offline"])(
  "a proof sent %s is kept on the device while the server refuses it for now, and arrives once",
  async (line) => {
    const { page, order, token } = await paying();
    await page.getByRole("button", { name: "I have paid" }).click();
    await page
      .getByLabel("Screenshot of the payment")
      .setInputFiles({ name: "a.jpg", mimeType: "image/jpeg", buffer: await photo(400, 801) });
    await page.getByLabel("Last 4 digits").fill("4821");
    await useUpProofs(token);
    const refused = page.waitForResponse((response) => response.url().includes("/voucher") && response.status() === 429);
    await page.context().setOffline(line === "offline");
    await page.getByRole("button", { name: "Send proof" }).click();
    await page.locator("#kept").waitFor();
    await page.context().setOffline(false);
    await refused;
    await page.locator("#kept").waitFor();
    expect([await isStored(page, token), (await vouchersOf(order)).length]).toEqual([true, 0]);
    at.clock.advance(3_601_000);
    await page.reload();
    await page.getByText("Proof received").waitFor();
    expect(await vouchersOf(order)).toMatchObject([{ transaction_reference: "4821", asset_id: expect.stringMatching(/^ast_/) }]);
    expect(await isStored(page, token)).toBe(false);
  },
);

it("a page whose form was answered by a page without the order keeps following it", async () => {
  const { page, order, token } = await paying();
  await useUpReads(token);
  await page.getByRole("button", { name: "Alipay" }).click();
  await page.locator("#problem").waitFor();
  expect(await page.locator("#main").getAttribute("data-token")).toBe(token);
  at.clock.advance(61_000);
  await simulatePayment(at.ctx, shop.tenant, { order_id: order.id });
  await page.getByRole("heading", { name: "Paid" }).waitFor();
});
