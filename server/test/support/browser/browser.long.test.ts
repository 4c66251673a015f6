import { expect, test } from "vitest";
import { expectAccessible, expectPartAccessible, openBrowser } from "./browser.ts";

const browser = await openBrowser();

test("doesn't judge the colors of a dialog that has faded and is about to disappear", async () => {
  const page = await browser.page();
  await page.setContent('<html lang="en"><title>Pay</title><main><h1>Pay</h1><div style="opacity: 0"><p>Close</p></div></main></html>');
  await page.evaluate("setTimeout(() => document.querySelector('div').remove(), 500)");
  await expectAccessible(page);
  expect(await page.locator("p").count()).toBe(0);
  await page.setContent('<html lang="en"><title>Pay</title><main><h1>Pay</h1><p style="color: #eee">Close</p></main></html>');
  await expect(expectAccessible(page)).rejects.toThrow(/deeply equal/);
});

test("only checks open dialogs if that is what is requested", async () => {
  const page = await browser.page();
  const unnamed = "<button></button>";
  const check = async (main: string) => {
    await page.setContent(`<html lang="en"><title>Pay</title><main><h1>Pay</h1>${main}</main></html>`);
    await expectPartAccessible(page, { part: "dialogs" });
  };
  await check(unnamed);
  await check(`${unnamed}<div role="dialog" aria-label="Pay"><button>Pay now</button></div>`);
  await expect(check(`<div role="dialog" aria-label="Pay">${unnamed}</div>`)).rejects.toThrow(/deeply equal/);
});
