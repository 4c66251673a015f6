import { describe, expect, it } from "vitest";
import { findOrder, listOrderEvents, listPayments, type OrderRow, reviewOrder, startPayment } from "#orders/index.ts";
import { expectAccessible, screenshot } from "#test/support/browser/browser.ts";
import { english, live, whatIsSaid } from "#test/support/buyers/what-is-said.ts";
import { buyersPhone, payPageApp } from "#test/support/payments/pay-page-app.ts";
import { largePhoto, photo } from "#test/support/pictures/pictures.ts";

const buyers = await payPageApp();
const { at, browser, origin, shop, paying, vouchersOf } = buyers;

const reportsOf = async (order: OrderRow) =>
  (await listOrderEvents(at.ctx, shop.tenant, { order_id: order.id, limit: 100 })).rows.filter(
    (row) => row.event === "order.payment_pending_verify",
  ).length;
const statusOf = async (order: OrderRow) => (await findOrder(at.ctx, shop.tenant, order.id)).order.status;

describe("what a buyer reports while offline", () => {
  it("is stored and sent once when the connection is back", async () => {
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
});

describe("after I have paid", () => {
  it("there is a way back to the code and to another channel until someone decides, also after a proof", async () => {
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

  it("the way back is closed once someone has decided", async () => {
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
});

it("switching channels back and forth creates one session for each, with the same request", async () => {
  const { order } = await shop.order();
  const sessionIds = new Map<string, Set<string>>();
  for (let turn = 0; turn < 10; turn += 1) {
    for (const gateway of ["wechatpay", "alipay"] as const) {
      const { session } = await startPayment(at.ctx, shop.tenant, { order_id: order.id, gateway });
      expect(session).toMatchObject({ status: "pending", gateway });
      sessionIds.set(gateway, (sessionIds.get(gateway) ?? new Set()).add(session.id));
    }
  }
  expect([...sessionIds.values()].map((ids) => ids.size)).toEqual([1, 1]);
  expect((await listPayments(at.ctx, shop.tenant, { order_id: order.id, limit: 100 })).rows).toHaveLength(2);
});

it.each(whatIsSaid)("%s", async (_what, check) => {
  await check(buyers, english);
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

describe("on a phone", () => {
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
});
