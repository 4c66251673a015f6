import { expect, test } from "vitest";
import { openBrowser } from "#test/browser.ts";
import { house } from "#test/house.ts";

const home = await house();
const browser = await openBrowser();

test("the reference page shows the document in a browser and asks no other host for anything", async () => {
  const app = await home.app();
  const origin = await app.listen({ port: 0, host: "127.0.0.1" });
  const page = await browser.page({ viewport: { width: 1280, height: 900 } });
  const elsewhere: string[] = [];
  const refused: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(origin) && !/^(data|blob):/.test(request.url())) elsewhere.push(request.url());
  });
  page.on("console", (message) => {
    if (message.type() === "error") refused.push(message.text());
  });
  await page.goto(`${origin}/reference`);
  await page.getByText("Create an order").first().waitFor();
  await page.waitForTimeout(1_000);
  expect(elsewhere).toEqual([]);
  expect(refused).toEqual([]);
});
