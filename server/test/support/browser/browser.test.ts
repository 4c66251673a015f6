import { expect, test } from "vitest";
import { expectAccessible, openBrowser } from "./browser.ts";

const browser = await openBrowser();

test("draws Chinese as glyphs, not as the box of a missing one", async () => {
  const page = await browser.page();
  await page.setContent("<canvas id=c width=40 height=40></canvas>");
  const drawn = `["中", "文", "\u{10fffe}"].map((text) => {
    const pen = document.querySelector("canvas").getContext("2d");
    pen.clearRect(0, 0, 40, 40);
    pen.font = "32px sans-serif";
    pen.fillText(text, 2, 34);
    return [...pen.getImageData(0, 0, 40, 40).data].join();
  })`;
  const pixels = await page.evaluate<string[]>(drawn);
  expect(new Set(pixels).size).toBe(3);
});

test("detects what a blind reader can't use, also under a strict content policy", async () => {
  const page = await browser.page();
  const serve = (main: string) =>
    page.route("http://shop.test/", (route) =>
      route.fulfill({
        headers: { "content-security-policy": "default-src 'none'", "content-type": "text/html" },
        body: `<!doctype html><html lang="en"><title>Pay</title><main><h1>Pay</h1>${main}</main></html>`,
      }),
    );
  await serve("<button>Pay now</button>");
  await page.goto("http://shop.test/");
  await expectAccessible(page);
  await serve('<img src="x.png">');
  await page.goto("http://shop.test/");
  await expect(expectAccessible(page)).rejects.toThrow(/toDeeply|deeply equal/);
});
