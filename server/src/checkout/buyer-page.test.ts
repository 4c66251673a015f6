import { describe, expect, it } from "vitest";
import { findOrder, listPayments, type OrderRow, startPayment } from "#orders/index.ts";
import { screenshot } from "#test/support/browser/browser.ts";
import { payPageApp } from "#test/support/payments/pay-page-app.ts";

const buyers = await payPageApp();
const { at, shop, paying, vouchersOf } = buyers;

const statusOf = async (order: OrderRow) => (await findOrder(at.ctx, shop.tenant, order.id)).order.status;

describe("what a buyer reports while offline", () => {
  it("arrives once if only the response was lost, and if the server was down", async () => {
    const { page, order } = await paying();
    await page.getByRole("button", { name: "I have paid" }).click();
    await page.getByLabel("Last 4 digits").fill("4822");
    await page.route(
      "**/voucher*",
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByRole("button", { name: "Send proof" }).click();
    await page.locator("#kept").waitFor();
    await page.route("**/voucher*", (route) => route.fulfill({ status: 503, body: "" }), { times: 1 });
    await page.evaluate("window.dispatchEvent(new Event('online'))");
    await page.waitForResponse((response) => response.status() === 503);
    await page.evaluate("window.dispatchEvent(new Event('online'))");
    await page.getByText("Proof received").waitFor();
    expect(await vouchersOf(order)).toHaveLength(1);
  });
});

describe("a picture that a proxy refuses with a page of its own", () => {
  const tooLarge = { status: 413, contentType: "text/html", body: "<html><body>413</body></html>" };
  const larger = "The image is larger than 5 MB. Choose a smaller one.";

  it("is reported as too large, and a smaller one arrives", async () => {
    const { page, order } = await paying();
    await page.getByRole("button", { name: "I have paid" }).click();
    await page.getByLabel("Last 4 digits").fill("4825");
    await page.route("**/voucher*", (route) => route.fulfill(tooLarge), { times: 1 });
    await page.getByRole("button", { name: "Send proof" }).click();
    await page.getByText(larger).waitFor();
    await page.getByRole("button", { name: "Send proof" }).click();
    await page.getByText("Proof received").waitFor();
    expect(await vouchersOf(order)).toMatchObject([{ transaction_reference: "4825" }]);
  });
});

it("after I have paid there is a way back to the code and to another channel until someone decides, also after a proof", async () => {
  const { page, order } = await paying();
  await page.getByRole("button", { name: "I have paid" }).click();
  await page.getByLabel("Last 4 digits").fill("4823");
  await page.getByRole("button", { name: "Send proof" }).click();
  await page.getByText("Proof received").waitFor();
  await screenshot(page, "buyer-proof-received");
  await page.getByRole("button", { name: "I haven't paid yet" }).click();
  await page.getByRole("img", { name: "WeChat Pay QR code to pay ¥99.00" }).waitFor();
  expect([await statusOf(order), (await vouchersOf(order)).map(({ status }) => status)]).toEqual(["unpaid", ["superseded"]]);
  await page.getByRole("button", { name: "Alipay" }).click();
  await page.getByRole("link", { name: "Open Alipay" }).waitFor();
});

it("switching channels back and forth creates one session for each, with the same request", async () => {
  const { order } = await shop.order();
  const sessionIds = new Map<string, Set<string>>();
  for (let turn = 0; turn < 3; turn += 1) {
    for (const gateway of ["wechatpay", "alipay"] as const) {
      const { session } = await startPayment(at.ctx, shop.tenant, { order_id: order.id, gateway });
      expect(session).toMatchObject({ status: "pending", gateway });
      sessionIds.set(gateway, (sessionIds.get(gateway) ?? new Set()).add(session.id));
    }
  }
  expect([...sessionIds.values()].map((ids) => ids.size)).toEqual([1, 1]);
  expect((await listPayments(at.ctx, shop.tenant, { order_id: order.id, limit: 100 })).rows).toHaveLength(2);
});
