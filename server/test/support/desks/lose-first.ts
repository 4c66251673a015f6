import type { Page } from "playwright-core";
import { prepareToIntercept } from "#test/support/browser/browser.ts";

/** Lets the server carry out the first request to an address, and loses its response. */
export async function loseFirst(page: Page, path: string): Promise<void> {
  let isLost = false;
  await prepareToIntercept(page);
  await page.route(path, async (route) => {
    if (isLost || route.request().method() !== "POST") return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
}
