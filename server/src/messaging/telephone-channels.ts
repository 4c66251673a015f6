import { normalForm } from "#platform/index.ts";
import type { AddressRules } from "./channel.ts";
import { readTelephone } from "./telephone/read-telephone.ts";

const fault = {
  reason: "not_a_telephone_number",
  message: "This isn't a phone number in international form, such as +15551230000.",
} as const;

/** How telephone numbers are written and compared. */
export const telephoneAddresses: AddressRules = {
  canonical: (text) => normalForm(text, "NFKC").trim().toLowerCase(),
  plain: "^[+0-9]+$",
  // Suppressing a number that can't receive messages would have no effect, although it would seem to.
  fault(text) {
    const found = readTelephone(text.trim(), { strict: false });
    return found === "not_a_telephone_number" || found === "emergency_number" ? fault : null;
  },
  isSimulated: () => false,
};
