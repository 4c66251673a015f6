import { expect, test } from "vitest";
import { isPublicHost } from "./loopback.ts";

test.each(["pay.tillpost.com", "PAY.Tillpost.com.", "1.1.1.1", "[2606:4700::1111]"])("strangers can reach %s", (host) => {
  expect(isPublicHost(host)).toBe(true);
});

test.each([
  "localhost",
  "pay.localhost",
  "tillpost",
  "shop.local",
  "db.internal",
  "127.0.0.1",
  "192.168.1.4",
  "[::1]",
  "[fd00::1]",
  "pay.example",
  "",
])("strangers can't reach %j", (host) => {
  expect(isPublicHost(host)).toBe(false);
});
