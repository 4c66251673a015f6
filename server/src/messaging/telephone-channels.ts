import type { AddressRules } from "./channel.ts";

const telephone = /^\+[1-9]\d{6,14}$/;
const fault = { reason: "not_a_telephone_number", message: "This is not a telephone number in international form, such as +15551230000." } as const;

/** How telephone numbers are written and compared. */
export const telephoneAddresses: AddressRules = {
  canonical: (text) => text.normalize("NFKC").trim().toLowerCase(),
  plain: "^[+0-9]+$",
  fault: (text) => (telephone.test(text.trim()) ? null : fault),
  isSimulated: () => false,
};
