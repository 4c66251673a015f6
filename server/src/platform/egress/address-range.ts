import { BlockList, isIP } from "node:net";

/** Whether a text is an IP address or a CIDR range. A scoped address ("fe80::1%eth0") belongs to one machine and isn't. */
export function isAddressRange(text: string): boolean {
  const [address = "", bits, rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || address.includes("%") || rest !== undefined || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return false;
  try {
    if (bits !== undefined) new BlockList().addSubnet(address, Number(bits), family === 4 ? "ipv4" : "ipv6");
    return true;
  } catch {
    return false;
  }
}
