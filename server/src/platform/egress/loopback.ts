import { isIP } from "node:net";
import { isPublicAddress } from "./address-policy.ts";

/** Whether an address leads to this machine alone: a try-out or development, out of everybody else's reach. */
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

/** Whether strangers on the internet can mean a host by this name, as far as the name tells: no private address, and no name that only a local network gives out. */
export function isPublicHost(hostname: string): boolean {
  const name = hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
  if (isIP(name) !== 0) return isPublicAddress(name);
  return name.includes(".") && !localSuffixes.some((suffix) => name.endsWith(suffix));
}

/** Names that the public DNS never resolves: of RFC 6761, RFC 6762 and RFC 8375, and `.internal`, which ICANN keeps for private use. */
const localSuffixes = [".localhost", ".local", ".internal", ".test", ".example", ".invalid", ".lan", ".home.arpa"];
