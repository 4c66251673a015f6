import { isIP } from "node:net";

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
