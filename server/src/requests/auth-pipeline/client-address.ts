import { BlockList, isIP } from "node:net";

/** The subject of limits per address: an IPv4 address, or the /64 of an IPv6 address. */
export function limitedAddress(address: string): string {
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped !== null) return mapped[1] as string;
  const [left = "", right] = address.split("%", 1).join("").split("::");
  const head = left === "" ? [] : left.split(":");
  const tail = right === undefined || right === "" ? [] : right.split(":");
  const groups = right === undefined ? head : [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill("0"), ...tail];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, "").toLowerCase())
    .join(":")}::/64`;
}

const mapped = /^::ffff:/i;

/** Whether an address is in a list of addresses and CIDR ranges. An IPv6 range contains no IPv4 address, unless it is a mapped one. */
export function isListed(address: string, ranges: readonly string[]): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  const family = isIP(plain);
  const list = new BlockList();
  for (const range of ranges) {
    const [base = "", bits] = range.split("/");
    const kind = isIP(base);
    if (kind === 0 || (kind === 6 && family === 4 && !mapped.test(base))) continue;
    if (bits === undefined) list.addAddress(base, kind === 6 ? "ipv6" : "ipv4");
    else list.addSubnet(base, Number(bits), kind === 6 ? "ipv6" : "ipv4");
  }
  return family !== 0 && list.check(plain, family === 6 ? "ipv6" : "ipv4");
}
