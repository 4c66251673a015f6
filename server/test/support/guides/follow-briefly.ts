import { afterAll, beforeAll, test } from "vitest";
import { GuideReaders, guides } from "./follow-guide.ts";

/** They take the longest: backups copy whole databases and start restored ones, and name servers are asked for a domain. */
const onlyInLongForm = ["operations.md", "email.md"];

/** Declares a test for each of these guides: its requests on one installation. The long form follows every guide. */
export function followBriefly(isOurs: (guide: string) => boolean): void {
  const readers = new GuideReaders();
  beforeAll(() => readers.start());
  afterAll(() => readers.end());
  test.each(guides.filter((guide) => isOurs(guide) && !onlyInLongForm.includes(guide)))(
    "%s: every request of the guide works as written, in order, and returns what it says",
    { timeout: 300_000 },
    (guide) => readers.follow(guide),
  );
}

/** Those of SMS, calls and verifications. */
export const isOfMessaging = (guide: string) => guide.startsWith("messaging/");
