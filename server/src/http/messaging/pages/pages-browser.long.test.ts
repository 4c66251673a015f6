import { describe, test } from "vitest";
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
