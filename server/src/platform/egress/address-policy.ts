import { BlockList, isIP } from "node:net";

/** Special-purpose IPv4 ranges assigned by IANA, and the one public address at which a cloud serves its guests. */
const special4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "168.63.129.16/32",
];
/** Addresses inside the only public IPv6 block that aren't meant for the public. */
const special6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "2620:4f:8000::/48"];

const denied4 = rangesOf(special4);
const denied6 = rangesOf(special6);
const global6 = rangesOf(["2000::/3"]);

/** A set of addresses and CIDR ranges. */
export function rangesOf(texts: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of texts) {
    const [base = "", bits] = text.split("/");
    const family = isIP(base) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(base, family);
    else list.addSubnet(base, Number(bits), family);
  }
  return list;
}

/** Whether an address is on the public internet. IPv6 that embeds an IPv4 address, in any form, isn't. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !denied4.check(address, "ipv4");
  return family === 6 && !address.includes("%") && global6.check(address, "ipv6") && !denied6.check(address, "ipv6");
}

/** Whether an address is in ranges; an IPv4-mapped IPv6 address counts as its IPv4 address. */
export function isIn(ranges: BlockList, address: string): boolean {
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  const family = isIP(plain);
  return family !== 0 && ranges.check(plain, family === 6 ? "ipv6" : "ipv4");
}

/** Which addresses may be connected to: public ones, and the ranges that the operator allows. */
export function addressPolicy(allow: readonly string[]): (address: string) => boolean {
  const allowed = rangesOf(allow);
  return (address) => isIn(allowed, address) || isPublicAddress(address);
}
