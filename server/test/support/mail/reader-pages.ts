import type { AddressInfo } from "node:net";
import type { BrowserContextOptions } from "playwright-core";
import { expect } from "vitest";
import { emailChannel } from "#email/index.ts";
import { clickSignerOf, clickUrl } from "#email/tracking/track-token.ts";
import { unsubscribeUrl } from "#email/unsubscribe/unsubscribe-token.ts";
import { findSuppressed } from "#messaging/index.ts";
import { type TestApp, testApp } from "#test/support/app/test-app.ts";
import { expectAccessible, openBrowser, phone, screenshot, type TestBrowser } from "#test/support/browser/browser.ts";
import { mailRoom } from "./mail.ts";

/** The server of the pages that links in emails lead to, and their readers' browser. */
export interface ReaderPages {
  app: TestApp;
  browser: TestBrowser;
  origin: string;
}

/** How a reader sees the pages, and what they say to them. */
export interface Reader {
  locale: string;
  colorScheme: "light" | "dark";
  /** Where the email comes from. */
  livemode: boolean;
  device: BrowserContextOptions;
  words: { unsubscribe: string; unsubscribed: string; leaving: string };
}

export const englishReader: Reader = {
  locale: "en-GB",
  colorScheme: "light",
  livemode: true,
  device: phone,
  words: { unsubscribe: "Unsubscribe", unsubscribed: "You're unsubscribed", leaving: "Continue only if you know the sender" },
};

export const chineseReader: Reader = {
  locale: "zh-CN",
  colorScheme: "dark",
  livemode: false,
  device: { viewport: { width: 1440, height: 900 } },
  words: { unsubscribe: "退订", unsubscribed: "已退订", leaving: "仅在认识发件方时继续" },
};

const address = "ada.of.a.rather.long.name@corner-readers.com";
const fits = "document.documentElement.scrollWidth <= innerWidth";

/** Call it at the top of the file. */
export async function readerPages(): Promise<ReaderPages> {
  const app = await testApp();
  const browser = await openBrowser();
  const server = await app.server();
  await server.listen({ port: 0, host: "127.0.0.1" });
  return { app, browser, origin: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}` };
}

/** A reader unsubscribes on a phone. */
export async function expectUnsubscribes({ app, browser, origin }: ReaderPages, { locale, colorScheme, livemode, words }: Reader) {
  const shop = await app.tenant({ livemode });
  const { email } = await mailRoom(app.ctx).send(shop, { to: address });
  const { pathname } = new URL(unsubscribeUrl(app.ctx, { tenant: shop, email_id: email.id, address }));
  const page = await browser.page({ ...phone, locale, colorScheme, javaScriptEnabled: true });
  const refused: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && refused.push(message.text())));
  await page.goto(origin + pathname);
  await expectAccessible(page);
  expect(await page.evaluate(fits)).toBe(true);
  await screenshot(page, `unsubscribe-${locale}`);
  await page.getByRole("button", { name: words.unsubscribe, exact: true }).click();
  await page.getByRole("heading", { name: words.unsubscribed }).waitFor();
  await expectAccessible(page);
  await screenshot(page, `unsubscribed-${locale}`);
  expect(refused).toEqual([]);
  const suppressed = await findSuppressed(app.ctx.db, shop, { channel: emailChannel, addresses: [address] });
  expect(suppressed.get(address)?.reason).toBe("unsubscribe");
}

/** A link that leads elsewhere shows where. */
export async function expectShownWhere({ app, browser, origin }: ReaderPages, { locale, colorScheme, device, words }: Reader) {
  const shop = await app.tenant();
  const target = `https://books.example.com/a-rather-long-way/${"chapter-".repeat(20)}?b=c&d=%3Cscript%3E`;
  const { pathname } = new URL(clickUrl(clickSignerOf(app.ctx, { tenant: shop, email_id: "em_1", recipient_id: "dlv_1" }), target));
  const page = await browser.page({ ...device, locale, colorScheme });
  await page.goto(origin + pathname);
  await page.getByText(words.leaving).waitFor();
  await expectAccessible(page);
  await screenshot(page, `leaving-${locale}`);
  expect(await page.locator(".target").textContent()).toBe(target);
  // It's visually distinct from the sentences around it, complete, and within the column.
  expect(await page.evaluate("getComputedStyle(document.querySelector('.target')).borderTopStyle")).toBe("solid");
  expect(await page.evaluate(fits)).toBe(true);
  expect(await page.getByRole("link", { name: "books.example.com" }).getAttribute("href")).toBe(target);
}
