import type { BrowserContextOptions, Page } from "playwright-core";
import { buyersPhone, type PayPageApp } from "#test/support/payments/pay-page-app.ts";

interface WatchedPhone {
  page: Page;
  /** What a page of ours must never do. */
  faults: string[];
  bytes(): number;
}

/** A phone that remembers errors, refused loads and requests to strangers. */
export async function watchedPhone({ browser, origin }: PayPageApp, options: BrowserContextOptions = {}): Promise<WatchedPhone> {
  const page = await browser.page({ ...buyersPhone, viewport: { width: 390, height: 844 }, ...options });
  const faults: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith("blob:")) faults.push(`asked a stranger: ${request.url()}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  const debug = await page.context().newCDPSession(page);
  await debug.send("Network.enable");
  let bytes = 0;
  debug.on("Network.loadingFinished", (event) => {
    bytes += event.encodedDataLength;
  });
  return { page, faults, bytes: () => bytes };
}
