import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { changeOrder, findOrder, listPayments, type OrderRow, startPayment } from "#orders/index.ts";
import { screenshot } from "#test/support/browser/browser.ts";
import { english, whatIsSaid } from "#test/support/buyers/what-is-said.ts";
import { payPageApp } from "#test/support/payments/pay-page-app.ts";
import { photo } from "#test/support/pictures/pictures.ts";

const buyers = await payPageApp();
const { at, origin, shop, paying, vouchersOf } = buyers;

const statusOf = async (order: OrderRow) => (await findOrder(at.ctx, shop.tenant, order.id)).order.status;

describe("what a buyer reports while offline", () => {
  it("is sent by the page that is opened later if this one was closed, including the proof's picture", async () => {
    const { page, order, token } = await paying();
    await page.getByRole("button", { name: "I have paid" }).click();
    await page
      .getByLabel("Screenshot of the payment")
      .setInputFiles({ name: "proof.jpg", mimeType: "image/jpeg", buffer: await photo(400, 801) });
    await page.getByLabel("Last 4 digits").fill("4821");
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Send proof" }).click();
    await page.locator("#kept").waitFor();
    const context = page.context();
    await page.close();
    await context.setOffline(false);
    const later = await context.newPage();
    await later.goto(`${origin}/pay/${token}`);
    await later.getByText("Proof received").waitFor();
    expect((await vouchersOf(order))[0]).toMatchObject({ transaction_reference: "4821", asset_id: expect.stringMatching(/^ast_/) });
    await later.reload();
    await later.getByText("Proof received").waitFor();
    expect(await vouchersOf(order)).toHaveLength(1);
  });

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

  it("remains stored if something in between refuses it with a page of its own, and arrives once", async () => {
    const { page, order } = await paying();
    await page.getByRole("button", { name: "I have paid" }).click();
    await page.getByLabel("Last 4 digits").fill("4824");
    await page.route("**/voucher*", (route) => route.abort(), { times: 1 });
    await page.getByRole("button", { name: "Send proof" }).click();
    await page.locator("#kept").waitFor();
    const forbidden = { status: 403, contentType: "text/html", body: "<html><body>Forbidden</body></html>" };
    await page.route("**/voucher*", (route) => route.fulfill(forbidden), { times: 1 });
    const refused = page.waitForResponse((response) => response.status() === 403);
    await page.evaluate("window.dispatchEvent(new Event('online'))");
    await (await refused).finished();
    await page.locator("#kept").waitFor();
    expect(await vouchersOf(order)).toEqual([]);
    await page.reload();
    await page.getByText("Proof received").waitFor();
    expect(await vouchersOf(order)).toMatchObject([{ transaction_reference: "4824" }]);
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

  it("is reported as too large if it waited on the device, and isn't sent again after a smaller one", async () => {
    const { page, order } = await paying();
    await page.getByRole("button", { name: "I have paid" }).click();
    await page.getByLabel("Last 4 digits").fill("4826");
    await page.route("**/voucher*", (route) => route.abort(), { times: 1 });
    await page.getByRole("button", { name: "Send proof" }).click();
    await page.locator("#kept").waitFor();
    await page.route("**/voucher*", (route) => route.fulfill(tooLarge), { times: 1 });
    await page.evaluate("window.dispatchEvent(new Event('online'))");
    await page.getByText(larger).waitFor();
    await page.getByLabel("Last 4 digits").fill("4827");
    await page.getByRole("button", { name: "Send proof" }).click();
    await page.getByText("Proof received").waitFor();
    await page.locator("#kept").waitFor({ state: "hidden" });
    await page.reload();
    await page.getByText("Proof received").waitFor();
    expect(await vouchersOf(order)).toMatchObject([{ transaction_reference: "4827" }]);
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

it("a page that was updated to another code reports that one", async () => {
  const { page, order } = await paying();
  await startPayment(at.ctx, shop.tenant, { order_id: order.id, gateway: "alipay" });
  await changeOrder(at.ctx, shop.tenant, { order_id: order.id, if_version: null, description: "Winter box" });
  await page.getByRole("link", { name: "Open Alipay" }).waitFor();
  await page.getByRole("button", { name: "I have paid" }).click();
  await page.getByRole("heading", { name: "Checking your payment" }).waitFor();
  expect((await findOrder(at.ctx, shop.tenant, order.id)).session).toMatchObject({ gateway: "alipay", status: "pending_verify" });
});

/** The long form has all of it, in both languages. */
it.each(whatIsSaid.slice(0, 1))("%s", async (_what, check) => {
  await check(buyers, english);
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

it("a picture with more bytes than the server accepts is made smaller before it is sent", async () => {
  const { page, order } = await paying();
  await page.getByRole("button", { name: "I have paid" }).click();
  const path = join(tmpdir(), "tillpost-big.jpg");
  // Some phones append a recording to their photos.
  await writeFile(path, Buffer.concat([await photo(400, 801), Buffer.alloc(5_300_000)]));
  await page.getByLabel("Screenshot of the payment").setInputFiles(path);
  await page.locator("img.preview").waitFor();
  await page.getByRole("button", { name: "Send proof" }).click();
  await page.getByText("Proof received").waitFor();
  expect(await vouchersOf(order)).toHaveLength(1);
});
