import { type SendingChannel, telephoneAddresses } from "#messaging/index.ts";
import { readSender } from "#numbers/index.ts";
import { smsQueue } from "./tables.sql.ts";

/** `number/sender`: an opt-out applies to one sender. */
const pair = /^([^/\s]+)\/(.*)$/;
const notASender = { reason: "not_a_sms_sender", message: "After the slash, send a sender as used in your messages." } as const;

/** The SMS channel. Its unit is a part of a message. */
export const smsChannel: SendingChannel = {
  name: "sms",
  addresses: {
    ...telephoneAddresses,
    plain: "^[+0-9]+(/[+a-z0-9 ]+)?$",
    fault(text) {
      const [, recipient, sender] = pair.exec(text.trim()) ?? [];
      if (recipient === undefined || sender === undefined) return telephoneAddresses.fault(text);
      return telephoneAddresses.fault(recipient) ?? (readSender(sender) === null ? notASender : null);
    },
  },
  limits: {
    sms: { free: 10, starter: 50, pro: 500, enterprise: 5_000 },
    sms_batches: { free: 6, starter: 30, pro: 300, enterprise: 3_000 },
  },
  quota: { unit: "sms_segments", daily: { free: 100, starter: 5_000, pro: 100_000, enterprise: 1_000_000 } },
  messages: smsQueue,
  queue: smsQueue,
  waiting: ["queued"],
};

/** An opt-out from one sender, as it is stored among the suppressed addresses. */
export function optOutOf({ sender, recipient }: { sender: string; recipient: string }): string {
  return `${recipient}/${sender}`;
}
