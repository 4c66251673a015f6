import { expect, test } from "vitest";
import { channelsKeepTheirOwn } from "./channels.ts";

const faults = (path: string, text: string) => channelsKeepTheirOwn([{ path, text }]).length;
const core = "server/src/messaging/suppression/sql.ts";

test.each([
  ["names the channel", core, "and channel = 'email'"],
  ["names its tables", core, "select id from email_recipients"],
  ["names it in a type", core, "interface MailSettings {}"],
  ["names a notion of it", core, 'reason === "bounce"'],
  ["names a protocol of it", core, "smtp_code: number"],
  ["names it in a comment", core, "/** Mailboxes that are not there. */"],
  ["names its way from below", "server/src/platform/context.ts", "readonly bounceDomain: string | null;"],
  ["names its protocol from below", "server/src/webhooks/endpoint/sql.ts", "smtp_code"],
])("a file that %s is refused", (_what, path, text) => {
  expect(faults(path, text)).toBe(1);
});

test.each([
  ["the channel's own room", "server/src/email/transport.ts", "smtp_code: number"],
  ["an address of a person", "server/src/identity/people/sql.ts", "email: string"],
  ["the name of an event", "server/src/webhooks/event-names.ts", '"email.bounced"'],
  ["a test", "server/src/messaging/suppression/suppression.test.ts", 'reason: "bounce"'],
  ["what every channel has", core, "reason, address, channel, remaining"],
])("%s is allowed", (_what, path, text) => {
  expect(faults(path, text)).toBe(0);
});
