import { test } from "vitest";
import { englishReader, expectUnsubscribes, readerPages } from "#test/support/mail/reader-pages.ts";

const pages = await readerPages();

test("a reader unsubscribes on a phone", async () => {
  await expectUnsubscribes(pages, englishReader);
});
