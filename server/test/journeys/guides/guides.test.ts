import { afterAll, beforeAll, expect, test } from "vitest";
import { GuideReaders, guides } from "#test/support/guides/follow-guide.ts";

const readers = new GuideReaders();

beforeAll(() => readers.start());
afterAll(() => readers.end());

test("the guides with requests are known", () => {
  expect(guides).toEqual(
    expect.arrayContaining([
      "first-payment.md",
      "personal-qr.md",
      "webhooks.md",
      "email.md",
      "messaging/sms.md",
      "messaging/calls.md",
      "messaging/verify.md",
      "operations.md",
    ]),
  );
});

/** Each copies a whole database or starts one. The long form takes, restores and verifies the backups. */
const without = /^npm run tillpost -- (backup|restore) /m;
/** In TEST no name server is asked for a name under `.test`; the long form waits for one that may not answer. */
const instead = ['"name": "shop.example.com"', '"name": "shop.example.test"'] as const;

test.each(guides)(
  "%s: every request of the guide but those of backups works as written, in order, and returns what it says",
  { timeout: 300_000 },
  (guide) => readers.follow(guide, { without, instead }),
);
