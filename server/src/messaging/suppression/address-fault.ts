import { readMailbox } from "../domain/read-mailbox.ts";
import type { Channel } from "./reasons.ts";

const telephone = /^\+[1-9]\d{6,14}$/;

/** What is wrong with an address of a channel, as a sentence; null when nothing is. */
export function addressFault(channel: Channel, address: string): string | null {
  if (channel === "email") return !address.includes("<") && readMailbox(address) !== null ? null : "This is not an e-mail address.";
  return telephone.test(address.trim()) ? null : "This is not a telephone number in international form, such as +15551230000.";
}
