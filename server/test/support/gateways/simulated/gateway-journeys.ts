import type { Page } from "playwright-core";
import { expect } from "vitest";
import { payWords, type Words } from "#checkout/page/words/words.ts";
import { createDemo } from "#gateways/index.ts";
import { type SimulatorWords, simulatorWords } from "#gateways/simulator/words.ts";
import { type Language, languageInfo } from "#platform/index.ts";
import { type TestApp, testApp } from "#test/support/app/test-app.ts";
import { openBrowser, phone, type TestBrowser } from "#test/support/browser/browser.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { phoneAgent } from "#test/support/payments/pay-fixtures.ts";
import { type PayShop, payShop } from "#test/support/payments/pay-shop.ts";
import { currencyOf, demoGateways, gatewayNames, orderNow } from "./demo-shop.ts";

/** The language and the device in which a buyer pays. */
export interface BuyerLook {
  lang: Language;
  device: "phone" | "desktop";
}

/** A shop whose gateways are all simulated, its server, and the buyers' browser. */
export interface Street {
  app: TestApp;
  shop: PayShop;
  origin: string;
  browser: TestBrowser;
}

/** Opens the one server and the one browser of a file. Call it at its top. */
export async function openStreet(): Promise<Street> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const http = {
    perMinuteLinkReads: 100_000,
    perMinuteLinkReadsPerAddress: 100_000,
    perMinuteLinkInitiate: 100_000,
    streamsPerAddress: 1_000,
  };
  const app = await testApp({ publicUrl: origin, gateways: demoGateways, http });
  await (await app.server()).listen({ host: "127.0.0.1", port });
  const shop = await payShop(app);
  for (const gateway of gatewayNames) await createDemo(app.ctx, shop.tenant, { gateway });
  return { app, shop, origin, browser: await openBrowser() };
}

/** One buyer with one order, in the middle of paying. */
export interface Walk {
  page: Page;
  words: Words;
  there: SimulatorWords;
  gateway: string;
  /** Where the buyer starts. */
  link: string;
  orderId: string;
  /** What a page of ours must never do: errors, refused loads, requests to strangers. */
  faults: string[];
}

const desktop = { viewport: { width: 1280, height: 800 } };

/** A buyer opens the link of a new order. */
export async function begin({ shop, origin, browser }: Street, gateway: string, { lang, device }: BuyerLook): Promise<Walk> {
  const { order, token } = await shop.order({
    currency: currencyOf(gateway),
    description: "Two pots of tea",
    return_url: "https://shop.example/thanks",
  });
  const page = await browser.page({
    ...(device === "phone" ? { ...phone, userAgent: phoneAgent } : desktop),
    locale: languageInfo(lang).locale,
  });
  const faults: string[] = [];
  page.context().on("page", (one) => watch(one, { origin, faults }));
  watch(page, { origin, faults });
  const link = `${origin}/pay/${token}`;
  await page.goto(link);
  return { page, words: payWords[lang], there: simulatorWords[lang], gateway, link, orderId: order.id, faults };
}

function watch(page: Page, { origin, faults }: { origin: string; faults: string[] }): void {
  page.on("request", (request) => {
    if (!request.url().startsWith(origin) && !/^(blob|data):/.test(request.url())) faults.push(`asked a stranger: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.message));
}

/** Chooses the gateway on the pay page, which says that it is simulated. */
export async function chooseGateway({ page, gateway, words }: Walk): Promise<void> {
  const way = page.locator(`button[name=gateway][value=${gateway}]`);
  await way.getByText(words.demo, { exact: true }).waitFor();
  await way.click();
}

/**
 * Waits until the buyer is at the simulated provider: redirected there, or by the link next to a code that no wallet reads. Returns its
 * page.
 */
export async function reachProvider(walk: Walk): Promise<Page> {
  const { page, there } = walk;
  const code = page.locator("a[target=_blank][href*='/simulator/']");
  await Promise.race([page.waitForURL(/\/simulator\//), code.waitFor()]);
  if (/\/simulator\//.test(page.url())) {
    await page.getByRole("button", { name: there.outcomes.paid, exact: true }).waitFor();
    return page;
  }
  const opening = page.context().waitForEvent("page");
  await code.click();
  const opened = await opening;
  await opened.getByRole("button", { name: there.outcomes.paid, exact: true }).waitFor();
  return opened;
}

/** Pays at the provider and returns as it redirects. Ends once the pay page shows it. */
export async function payAndReturn(walk: Walk, provider: Page): Promise<void> {
  const { there } = walk;
  await press(provider, there.outcomes.paid);
  const back = provider.getByRole("link", { name: there.back });
  if (provider !== walk.page) await provider.close();
  else {
    await Promise.race([provider.waitForURL(/\/pay\//), back.waitFor()]);
    if (/\/simulator\//.test(provider.url())) await back.click();
  }
  await expectPaid(walk);
}

/** Chooses an outcome and waits for the page that follows: closing a page while it changes may never finish. */
export async function press(provider: Page, outcome: string): Promise<void> {
  const following = provider.waitForEvent("framenavigated");
  await provider.getByRole("button", { name: outcome, exact: true }).click();
  await following;
  await provider.waitForLoadState();
}

/** The page shows automatically that it is paid. */
export async function expectPaid({ page, words }: Pick<Walk, "page" | "words">): Promise<void> {
  await page.getByRole("heading", { name: words.paid, exact: true }).waitFor();
}

/** Whatever the buyer did: the order is paid once, by one payment, and no page complained. */
export async function expectPaidOnce({ app, shop }: Street, { orderId, gateway, faults }: Walk): Promise<void> {
  const order = await orderNow(app, shop.tenant, orderId);
  expect(order).toMatchObject({ status: "paid", amount_received_minor: 9_900, flags: [], latest_payment_session: { gateway, demo: true } });
  const booked = await runStatement(app.ctx.db, "select kind from ledger_transfers where order_id = ? and kind = 'order_payment'", orderId);
  expect(booked).toHaveLength(1);
  expect(faults).toEqual([]);
}

/** How many payments of an order the gateway received. */
export async function countPayments({ app }: Street, { orderId }: Walk): Promise<number> {
  return (await runStatement(app.ctx.db, "select id from gateway_payments where order_id = ?", orderId)).length;
}
