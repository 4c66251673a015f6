import { describe, expect, test } from "vitest";
import { createGuard } from "./address-guard.ts";
import { isPublicAddress } from "./address-policy.ts";
import type { Resolve } from "./resolve-name.ts";

const names: Record<string, string[]> = {
  "shop.example.com": ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"],
  "127.0.0.1.nip.io": ["127.0.0.1"],
  "mixed.example.com": ["93.184.216.34", "10.0.0.7"],
  "inside.example.com": ["192.168.1.1"],
  "six.example.com": ["::ffff:127.0.0.1"],
};
const resolve: Resolve = async (name) => {
  const found = names[name];
  if (found === undefined) throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
  return found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
};
const guard = createGuard({ allow: [], ownHost: "pay.tillpost.example", resolve });
const open = createGuard({ allow: ["127.0.0.0/8", "::1/128"], ownHost: "localhost", resolve });

const refused = [
  "https://127.0.0.1/",
  "https://127.1/",
  "https://2130706433/",
  "https://0x7f000001/",
  "https://0177.0.0.1/",
  "https://017700000001/",
  "https://①②⑦.⓪.⓪.①/",
  "https://127。0。0。1/",
  "https://0/",
  "https://0.0.0.0/",
  "https://localhost/",
  "https://localhost./",
  "https://127.0.0.1.nip.io/",
  "https://[::]/",
  "https://[::1]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:0:127.0.0.1]/",
  "https://[::127.0.0.1]/",
  "https://[::169.254.169.254]/",
  "https://[64:ff9b::7f00:1]/",
  "https://[64:ff9b:1::]/",
  "https://[2002:7f00:1::]/",
  "https://[2001:0:7f00:1::]/",
  "https://[fe80::1%25lo]/",
  "https://[fe80::1]/",
  "https://[fec0::1]/",
  "https://[fd00:ec2::254]/",
  "https://[5f00::1]/",
  "https://[100::1]/",
  "https://169.254.169.254/",
  "https://metadata.google.internal/",
  "https://100.100.100.200/",
  "https://168.63.129.16/",
  "https://192.0.0.192/",
  "https://100.64.0.1/",
  "https://198.18.0.1/",
  "https://224.0.0.1/",
  "https://240.0.0.1/",
  "https://255.255.255.255/",
  "https://10.1.2.3/",
  "https://172.16.0.1/",
  "https://192.168.0.1/",
  "https://pay.tillpost.example/",
  "https://PAY.tillpost.example./",
  "https://mixed.example.com/",
  "https://inside.example.com/",
  "https://six.example.com/",
  "https://a@shop.example.com/",
  "https://a:b@shop.example.com/",
  "https://@shop.example.com/",
  "https:\\\\shop.example.com\\",
  "https://shop.example.com/\r\nx",
  "https://shop.\texample.com/",
  " https://shop.example.com/",
  "https:shop.example.com/",
  "https://shop.example.com:22/",
  "https://shop.example.com:25/",
  "https://shop.example.com:5432/",
  "https://shop.example.com:6379/",
  "https://shop.example.com:80/",
  "http://shop.example.com/",
  "gopher://shop.example.com/",
  "file:///etc/passwd",
  "unix:/run/x.sock",
  "data:,x",
  "",
  "shop.example.com",
  "https://",
  `https://shop.example.com/${"a".repeat(2048)}`,
  `https://${"a".repeat(64)}.com/`,
  `https://shop.${"a".repeat(64)}.com/`,
  `https://${"a.".repeat(126)}com/`,
  "https://shop..example.com/",
  "https://.example.com/",
  "https://server/",
  "https://unresolved.example.com:9443/",
  "https://nas.local/",
];

describe("URLs that merchants enter", () => {
  test.each(refused)("%j may not be saved", async (url) => {
    expect(await guard.mayBeSaved(url)).toBe(false);
  });

  test.each([
    "https://shop.example.com/hook?a=b",
    "HTTPS://shop.example.com:8443",
    `https://${"a".repeat(63)}.com/`,
    `https://${"a.".repeat(125)}com/`,
    "https://my_shop.example.com/",
    "https://93.184.216.34/",
    "https://[2606:2800:220:1::1]/",
    "https://not-yet.example.com/",
  ])("%j may be saved", async (url) => {
    expect(await guard.mayBeSaved(url)).toBe(true);
  });

  test("an operator's ranges open any port, and no other scheme or range", async () => {
    expect(await open.mayBeSaved("https://127.0.0.1:9999/")).toBe(true);
    expect(await open.mayBeSaved("https://[::1]:9999/")).toBe(true);
    expect(await open.mayBeSaved("https://127.0.0.1.nip.io:5432/")).toBe(true);
    for (const url of ["http://127.0.0.1:9999/", "https://10.0.0.1/", "https://mixed.example.com/", "https://a@127.0.0.1/"])
      expect(await open.mayBeSaved(url)).toBe(false);
  });

  test("the addresses of a name are all checked", async () => {
    await expect(guard.resolve("mixed.example.com", 443)).rejects.toMatchObject({ code: "EGRESS_BLOCKED" });
    await expect(guard.resolve("shop.example.com", 22)).rejects.toMatchObject({ code: "EGRESS_BLOCKED" });
    expect(await guard.resolve("shop.example.com", 443)).toHaveLength(2);
  });

  test("IPv6 that wraps IPv4 is never public", () => {
    for (const address of ["::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::", "::8.8.8.8", "not an address", "", "2606::1%eth0"])
      expect(isPublicAddress(address)).toBe(false);
    for (const address of ["8.8.8.8", "2606:4700::1111", "2a00:1450::1"]) expect(isPublicAddress(address)).toBe(true);
  });
});
