import { canonicalAddress } from "./canonical-address.ts";
import { type ErrorDetail, platformErrors } from "./errors.ts";

/** An address in a text in which signs that look alike have become one. A name may hold the sign by itself: "Books @ Corner". */
const address = /\S\s?@\s?(?:\[|[\p{L}\p{N}_-][^\s@]*[.\u3002][\p{L}\p{N}])/u;

/**
 * Whether a name holds an e-mail address. Mail programs show the name in place of the address that stands behind it, so `"support@bank.com" <x@y.com>` reads
 * as mail from the bank. The address that the name belongs to may be given as `own`.
 */
export function holdsAddress(name: string, own?: string): boolean {
  const plain = decoded(name)
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "");
  if (!address.test(plain)) return false;
  return own === undefined || canonicalAddress(plain.replace(/^['"]|['"]$/g, "")) !== canonicalAddress(own);
}

/** As mail programs read encoded words (RFC 2047), which some do even between quotes. */
function decoded(name: string): string {
  return name.replace(/=\?[^?\s]{1,40}\?([bq])\?([^?]*)\?=/gi, (_all, way: string, text: string) => {
    if (way.toLowerCase() === "b") return Buffer.from(text, "base64").toString();
    return text.replaceAll("_", " ").replace(/=([0-9a-f]{2})/gi, (_sign, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  });
}

export const addressInName = "A name must not contain an e-mail address.";

/** Throws parameter_invalid naming every name that holds an e-mail address. */
export function refuseAddressesIn(names: Record<string, string | null | undefined>): void {
  const faulty = Object.keys(names).filter((param) => holdsAddress(names[param] ?? ""));
  const [param] = faulty;
  if (param === undefined) return;
  const details: ErrorDetail[] = faulty.map((name) => ({ param: name, code: "parameter_invalid", reason: "address_in_name", message: addressInName }));
  throw platformErrors.parameter_invalid({ param, reason: "address_in_name", message: addressInName, details });
}
