import type { ErrorDetail } from "#platform/index.ts";
import { readMailbox } from "../domain/read-mailbox.ts";
import type { Channel } from "./reasons.ts";

const telephone = /^\+[1-9]\d{6,14}$/;

/** What is wrong with an address of a channel; null when nothing is. */
export function addressFault(channel: Channel, address: string): Pick<ErrorDetail, "reason" | "message"> | null {
  if (channel === "email") {
    return !address.includes("<") && readMailbox(address) !== null ? null : { reason: "not_an_email", message: "This is not an e-mail address." };
  }
  if (telephone.test(address.trim())) return null;
  return { reason: "not_a_telephone_number", message: "This is not a telephone number in international form, such as +15551230000." };
}
