import { canonicalAddress } from "./canonical-address.ts";
import { type ErrorDetail, platformErrors } from "./errors.ts";
import { normalForm } from "./normal-form.ts";

/** An address in a text whose look-alike characters were normalized. A name can contain the sign on its own: "Books @ Corner". */
const address = /\S\s?@\s?(?:\[|[\p{L}\p{N}_-][^\s@]*[.\u3002][\p{L}\p{N}])/u;

/**
 * Whether a name contains an email address. Email clients show the name instead of the address, so `"support@bank.com" <x@y.com>` looks
 * like email from the bank. Pass the address that the name belongs to as `own`; it is allowed.
 */
export function holdsAddress(name: string, own?: string): boolean {
  const plain = normalForm(decoded(name), "NFKC").replace(/\p{Cf}/gu, "");
  if (!address.test(plain)) return false;
  return own === undefined || canonicalAddress(plain.replace(/^['"]|['"]$/g, "")) !== canonicalAddress(own);
}

/** Encoded words (RFC 2047) as email clients decode them, some even inside quotes. */
function decoded(name: string): string {
  return name.replace(/=\?[^?\s]{1,40}\?([bq])\?([^?]*)\?=/gi, (_all, way: string, text: string) => {
    if (way.toLowerCase() === "b") return Buffer.from(text, "base64").toString();
    return text.replaceAll("_", " ").replace(/=([0-9a-f]{2})/gi, (_sign, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  });
}

export const addressInName = "A name can't contain an email address.";

/** Throws parameter_invalid for every name that contains an email address. */
export function refuseAddressesIn(names: Record<string, string | null | undefined>): void {
  const faulty = Object.keys(names).filter((param) => holdsAddress(names[param] ?? ""));
  const [param] = faulty;
  if (param === undefined) return;
  const details: ErrorDetail[] = faulty.map((name) => ({
    param: name,
    code: "parameter_invalid",
    reason: "address_in_name",
    message: addressInName,
  }));
  throw platformErrors.parameter_invalid({ param, reason: "address_in_name", message: addressInName, details });
}
