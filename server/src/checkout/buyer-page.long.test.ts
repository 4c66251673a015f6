import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { changeOrder, findOrder, listOrderEvents, type OrderRow, startPayment } from "#orders/index.ts";
import { reviewOrder } from "#reconciliation/index.ts";
import { expectAccessible, screenshot } from "#test/support/browser/browser.ts";
import { fillProof } from "#test/support/buyers/not-now.ts";
import { chinese, english, live, whatIsSaid } from "#test/support/buyers/what-is-said.ts";
import { buyersPhone, payPageApp } from "#test/support/payments/pay-page-app.ts";
import { largePhoto, photo } from "#test/support/pictures/pictures.ts";

const buyers = await payPageApp();
const { at, browser, origin, shop, paying, vouchersOf } = buyers;

const reportsOf = async (order: OrderRow) =>
  (await listOrderEvents(at.ctx, shop.tenant, { order_id: order.id, limit: 100 })).rows.filter(
    (row) => row.event === "order.payment_pending_verify",
  ).length;
const statusOf = async (order: OrderRow) => (await findOrder(at.ctx, shop.tenant, order.id)).order.status;

describe.each([english, chinese])("in $locale", (language) => {
  it.each(whatIsSaid)("%s", async (_what, check) => {
    await check(buyers, language);
  });
});

it("what a buyer reports while offline is stored and sent once when the connection is back", async () => {
  const { page, order } = await paying();
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "I have paid" }).click();
  await page.locator("#kept").waitFor();
  expect(await live(page)).toContain("Saved on this device");
  await expectAccessible(page);
  await screenshot(page, "buyer-kept");
  expect(await reportsOf(order)).toBe(0);
  await page.context().setOffline(false);
  await page.getByRole("heading", { name: "Checking your payment" }).waitFor();
  expect(await reportsOf(order)).toBe(1);
});

describe("what a buyer reports while offline", () => {
  it("is sent by the page that is opened later if this one was closed, including the proof's picture", async () => {
    const { page, order, token } = await paying();
    await fillProof(page);
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
});

it("the way back from I have paid is closed once someone has decided", async () => {
  const { page, order } = await paying();
  await page.getByRole("button", { name: "I have paid" }).click();
  await page.getByRole("button", { name: "I haven't paid yet" }).waitFor();
  await page.route("**/events", (route) => route.abort());
  await reviewOrder(at.ctx, shop.tenant, { order_id: order.id, decision: "approve" });
  const refused = await page.request.post(`${origin}/api/public/pay/${new URL(page.url()).pathname.slice(5)}/report/withdraw`, {
    data: {},
  });
  expect([refused.status(), (await refused.json()).error.code]).toEqual([409, "order_already_paid"]);
  expect(await statusOf(order)).toBe("paid");
});

describe("the statement that nothing was taken", () => {
  it("isn't shown once a code was shown", async () => {
    const { page } = await paying();
    at.clock.advance(25 * 3_600_000);
    await page.reload();
    await page.getByRole("heading", { name: "This payment link has expired" }).waitFor();
    await page.getByText("Already paid? Let them know below.").waitFor();
    expect(await page.getByText(/charged|taken/).count()).toBe(0);
  });

  it("isn't shown where a payment can be reported, to a buyer who never saw a code either", async () => {
    const { token } = await shop.order();
    at.clock.advance(25 * 3_600_000);
    const page = await browser.page(buyersPhone);
    await page.goto(`${origin}/pay/${token}`);
    await page.getByText("Already paid? Let them know below.").waitFor();
    expect(await page.getByText(/charged|taken/).count()).toBe(0);
  });
});

it("a browser with an invented language tag can pay", async () => {
  const page = await browser.page(buyersPhone);
  await page.addInitScript("Object.defineProperty(navigator, 'languages', { get: () => ['en-US@posix', 'C', 'en'] })");
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  const { token } = await shop.order();
  await page.goto(`${origin}/pay/${token}`);
  await page.getByRole("button", { name: "WeChat Pay" }).click();
  await page.getByRole("button", { name: "I have paid" }).click();
  await page.getByRole("heading", { name: "Checking your payment" }).waitFor();
  expect(new URL(page.url()).search).toBe("");
  expect(faults).toEqual([]);
});

it("a picture with more pixels than the server accepts is scaled down before it is sent", async () => {
  const { page, order } = await paying();
  await page.getByRole("button", { name: "I have paid" }).click();
  await page
    .getByLabel("Screenshot of the payment")
    .setInputFiles({ name: "big.jpg", mimeType: "image/jpeg", buffer: await largePhoto(6_000, 4_400) });
  await page.locator("img.preview").waitFor();
  await page.getByRole("button", { name: "Send proof" }).click();
  await page.getByText("Proof received").waitFor();
  expect(await vouchersOf(order)).toHaveLength(1);
});

it("what a buyer reports while offline remains stored if something in between refuses it with a page of its own, and arrives once", async () => {
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

const tooLarge = { status: 413, contentType: "text/html", body: "<html><body>413</body></html>" };
const larger = "The image is larger than 5 MB. Choose a smaller one.";

it("a picture that a proxy refuses is reported as too large if it waited on the device, and isn't sent again after a smaller one", async () => {
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

it("a page that was updated to another code reports that one", async () => {
  const { page, order } = await paying();
  await startPayment(at.ctx, shop.tenant, { order_id: order.id, gateway: "alipay" });
  await changeOrder(at.ctx, shop.tenant, { order_id: order.id, if_version: null, description: "Winter box" });
  await page.getByRole("link", { name: "Open Alipay" }).waitFor();
  await page.getByRole("button", { name: "I have paid" }).click();
  await page.getByRole("heading", { name: "Checking your payment" }).waitFor();
  expect((await findOrder(at.ctx, shop.tenant, order.id)).session).toMatchObject({ gateway: "alipay", status: "pending_verify" });
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
