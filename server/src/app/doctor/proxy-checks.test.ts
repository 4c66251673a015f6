import { expect, test } from "vitest";
import { checkHttps, checkProxies } from "./checks.ts";

test.each([
  ["https://pay.example.com", "localhost", [], true],
  ["https://pay.example.com", "0.0.0.0", [], true],
  ["http://10.0.0.5:8080", "127.0.0.1", [], true],
  ["https://pay.example.com", "localhost", ["127.0.0.1"], false],
  ["http://10.0.0.5:8080", "0.0.0.0", [], false],
  ["http://localhost:8080", "localhost", [], false],
])("PUBLIC_URL %s on %s with proxies %j: warns %s", (PUBLIC_URL, HOST, TRUSTED_PROXIES, warns) => {
  expect(checkProxies({ PUBLIC_URL, HOST, TRUSTED_PROXIES }).length > 0).toBe(warns);
});

test.each([
  ["localhost", "127.0.0.1,::1"],
  ["0.0.0.0", "the gateway of its network"],
])("listening on %s: says that the proxy's address is %s", (HOST, address) => {
  const [finding] = checkProxies({ PUBLIC_URL: "https://pay.example.com", HOST, TRUSTED_PROXIES: [] });
  expect(finding?.fix).toContain(address);
});

test.each([
  ["http://pay.example.com", true],
  ["http://192.168.1.20:8080", true],
  ["https://pay.example.com", false],
  ["http://localhost:8080", false],
  ["http://[::1]:8080", false],
])("PUBLIC_URL %s: says that no one can sign in: %s", (PUBLIC_URL, warns) => {
  expect(checkHttps({ PUBLIC_URL }).length > 0).toBe(warns);
});
