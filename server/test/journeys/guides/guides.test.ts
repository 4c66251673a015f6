import { expect, test } from "vitest";
import { followBriefly, isOfMessaging } from "#test/support/guides/follow-briefly.ts";
import { guides } from "#test/support/guides/follow-guide.ts";

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

followBriefly((guide) => !isOfMessaging(guide));
