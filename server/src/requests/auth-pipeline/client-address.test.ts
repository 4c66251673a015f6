import { expect, test } from "vitest";
import { isListed } from "./client-address.ts";

test.each([
  ["192.0.2.7", ["192.0.2.7"], true],
  ["::ffff:192.0.2.7", ["192.0.2.0/24"], true],
  ["192.0.2.7", ["::ffff:192.0.2.0/120"], true],
  ["192.0.2.7", ["::/0"], false],
  ["192.0.2.7", ["::/1", "2001:db8::/32"], false],
  ["2001:db8::7", ["::/0"], true],
  ["2001:db8::7", ["0.0.0.0/0"], false],
])("%s in %j: %s", (address, ranges, listed) => {
  expect(isListed(address, ranges)).toBe(listed);
});
