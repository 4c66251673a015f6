import { afterAll, beforeAll, test } from "vitest";
import { GuideReaders, guides } from "./follow-guide.ts";

/** Each copies a whole database or starts one. The long form takes, restores and verifies the backups. */
const without = /^npm run tillpost -- (backup|restore) /m;
/** In TEST no name server is asked for a name under `.test`; the long form waits for one that may not answer. */
const instead = ['"name": "shop.example.com"', '"name": "shop.example.test"'] as const;

/** Declares a test for each of these guides: its requests, but those of backups, on one installation. */
export function followBriefly(isOurs: (guide: string) => boolean): void {
  const readers = new GuideReaders();
  beforeAll(() => readers.start());
  afterAll(() => readers.end());
  test.each(guides.filter(isOurs))(
    "%s: every request of the guide but those of backups works as written, in order, and returns what it says",
    { timeout: 300_000 },
    (guide) => readers.follow(guide, { without, instead }),
  );
}

/** Those of email, SMS and calls. */
export const isOfMessaging = (guide: string) => guide === "email.md" || guide.startsWith("messaging/");
