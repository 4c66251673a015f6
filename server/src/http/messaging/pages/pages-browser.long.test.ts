import { describe, test } from "vitest";
import { expectAccessible, screenshot } from "#test/support/browser/browser.ts";
import { chineseReader, englishReader, expectShownWhere, expectUnsubscribes, readerPages } from "#test/support/mail/reader-pages.ts";

const pages = await readerPages();

describe.each([englishReader, chineseReader])("in $locale and $colorScheme", (reader) => {
  test("a reader unsubscribes on a phone", async () => {
    await expectUnsubscribes(pages, reader);
  });

  test("a link that leads elsewhere shows where, on a phone and on a desktop", async () => {
    await expectShownWhere(pages, reader);
  });
});

test("a link that doesn't work says so", async () => {
  const page = await pages.browser.page();
  await page.goto(`${pages.origin}/u/x`);
  await page.getByRole("heading", { name: "This link doesn't work" }).waitFor();
  await expectAccessible(page);
  await screenshot(page, "unsubscribe-unknown");
});
