import { isIP } from "node:net";
import { isPublicAddress } from "./address-policy.ts";

/** Whether an address leads to this machine only, for a trial or development, unreachable for others. */
export function isLoopbackUrl(url: string): boolean {
  const { hostname } = new URL(url);
  const name = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return name === "localhost" || name.endsWith(".localhost") || isLoopbackAddress(name);
}

/** Whether an address of a connection is this machine's own. */
export function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, "");
  return plain === "::1" || (isIP(plain) === 4 && plain.startsWith("127."));
}

/** Whether a host name can be public, judging by the name: no private address, and no name of a local network. */
export function isPublicHost(hostname: string): boolean {
  const name = hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
  if (isIP(name) !== 0) return isPublicAddress(name);
  return name.includes(".") && !localSuffixes.some((suffix) => name.endsWith(suffix));
}

/** Names that public DNS never resolves: RFC 6761, RFC 6762 and RFC 8375, and `.internal`, which ICANN reserves for private use. */
const localSuffixes = [".localhost", ".local", ".internal", ".test", ".example", ".invalid", ".lan", ".home.arpa"];
