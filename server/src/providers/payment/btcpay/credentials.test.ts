import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { CredentialsInvalid } from "#gateways/index.ts";
import { btcpay } from "./adapter.ts";
import { isSignedWith } from "./signature.ts";

const good = {
  base_url: "https://btcpay.example.com",
  store_id: "9CiNzKoANXxmk5ayZngSXrHTiVvvgCrwrpFQd4m2K776",
  api_key: "b10ce0e1f2c0b10ce0e1f2c0b10ce0e1f2c0b10c",
  webhook_secret: "3Uh2gmJtA4i5fXFbR7Qa",
};
const faultsOf = (over: Record<string, string>, livemode = true): string[] => {
  try {
    btcpay.open({ ...good, ...over }, { livemode });
    return [];
  } catch (error) {
    if (!(error instanceof CredentialsInvalid)) throw error;
    return error.faults.map(({ field, reason }) => `${field}: ${reason}`);
  }
};

test.each([
  ["https://btcpay.example.com", "https://btcpay.example.com"],
  [" https://BTCPAY.example.com:8443/ ", "https://btcpay.example.com:8443"],
  ["https://example.com/btcpay//", "https://example.com/btcpay"],
])("the server of %j is %s", (given, baseUrl) => {
  expect(btcpay.open({ ...good, base_url: given }, { livemode: true })).toMatchObject({ baseUrl, id: good.store_id });
});

test.each([
  "http://btcpay.example.com",
  "http://localhost:23000",
  "btcpay.example.com",
  "ftp://btcpay.example.com",
  "https://user@btcpay.example.com",
  "https://btcpay.example.com/?a=1",
  "https://btcpay.example.com/#x",
  "https://",
  `https://example.com/${"a".repeat(400)}`,
])("%s isn't a server for real money", (base_url) => {
  expect(faultsOf({ base_url })).toEqual(["base_url: malformed"]);
});

test("a test account may be on this machine without a certificate", () => {
  expect(faultsOf({ base_url: "http://localhost:23000" }, false)).toEqual([]);
  expect(faultsOf({ base_url: "http://127.0.0.1:23000" }, false)).toEqual([]);
  expect(faultsOf({ base_url: "http://192.168.1.2" }, false)).toEqual(["base_url: malformed"]);
});

test("every fault is reported together", () => {
  expect(faultsOf({ base_url: "x", store_id: "a/b", api_key: "", webhook_secret: "short" })).toEqual([
    "base_url: malformed",
    "store_id: malformed",
    "api_key: required",
    "webhook_secret: malformed",
  ]);
});

test("a signature matches RFC 4231, second case", () => {
  const body = Buffer.from("what do ya want for nothing?");
  expect(isSignedWith("Jefe", body, "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")).toBe(true);
});

const body = Buffer.from("{}");
const signature = createHmac("sha256", "secret").update(body).digest("hex");

test.each([
  ["none", undefined],
  ["an empty one", ""],
  ["one without its method", signature],
  ["one of another method", `sha1=${signature}`],
  ["a short one", `sha256=${signature.slice(0, 62)}`],
  ["a long one", `sha256=${signature}00`],
  ["capitals", `sha256=${signature.toUpperCase()}`],
  ["one under another secret", `sha256=${createHmac("sha256", "other").update(body).digest("hex")}`],
  ["one of other bytes", `sha256=${createHmac("sha256", "secret").update("{} ").digest("hex")}`],
])("%s isn't a signature", (_what, header) => {
  expect(isSignedWith("secret", body, `sha256=${signature}`)).toBe(true);
  expect(isSignedWith("secret", body, header)).toBe(false);
});
