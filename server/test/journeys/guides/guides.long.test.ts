import { afterAll, beforeAll, test } from "vitest";
import { GuideReaders, guides } from "#test/support/guides/follow-guide.ts";

const readers = new GuideReaders();

beforeAll(() => readers.start());
afterAll(() => readers.end());

test.each(guides)("%s: every request of the guide works as written, in order, and returns what it says", async (guide) => {
  await readers.follow(guide);
});
