import { expect, test } from "vitest";
import { open, readMasterKeys, seal } from "./secrets.ts";

const keys = readMasterKeys(`1:${"a5".repeat(32)}`);
const place = { table: "t", column: "c", row: "r" };

test("a sealed value opens only in its place, and not with a truncated tag", () => {
  const sealed = seal(keys, place, "secret");
  expect(open(keys, place, sealed).toString()).toBe("secret");
  expect(() => open(keys, { ...place, row: "s" }, sealed)).toThrow();
  const [format, version, nonce, body = ""] = sealed.split(".");
  for (const length of [15, 12, 8, 4, 1]) {
    const cut = Buffer.from(body, "base64url").subarray(0, length);
    expect(() => open(keys, place, [format, version, nonce, cut.toString("base64url")].join("."))).toThrow();
  }
});
