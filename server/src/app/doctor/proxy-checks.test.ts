import { expect, test } from "vitest";
import { checkProxies } from "./checks.ts";

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
