import type { SendingChannel } from "#messaging/index.ts";
import { canonicalAddress } from "#platform/index.ts";
import { readMailbox } from "../domain/read-mailbox.ts";
import { isSimulated } from "../simulator/simulator.ts";
import { emailQueue, messagesTable } from "./tables.sql.ts";

const notAnAddress = { reason: "not_an_email", message: "This isn't an email address." } as const;
const simulated = {
  reason: "simulator_address",
  message:
    "Simulator addresses can't be suppressed. Send to suppressed@simulator.tillpost.test to see what happens to a suppressed address.",
} as const;

/** The email channel. Its unit is a recipient's copy. */
export const emailChannel: SendingChannel = {
  name: "email",
  addresses: {
    canonical: canonicalAddress,
    plain: "^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+@[a-z0-9.-]+$",
    fault(text) {
      if (text.includes("<") || readMailbox(text) === null) return notAnAddress;
      return isSimulated(text) ? simulated : null;
    },
    isSimulated,
  },
  limits: {
    emails: { free: 20, starter: 100, pro: 1_000, enterprise: 10_000 },
    email_batches: { free: 12, starter: 60, pro: 600, enterprise: 6_000 },
  },
  quota: { unit: "emails", daily: { free: 1_000, starter: 50_000, pro: 1_000_000, enterprise: 10_000_000 } },
  messages: messagesTable,
  queue: emailQueue,
  waiting: ["queued", "delivery_delayed"],
};
