import { expect, test } from "vitest";
import { sealedColumnsAreDeclared } from "./sealed.ts";

const declaring = {
  path: "server/src/email/sealed.sql.ts",
  text: 'sealedColumn({ name: "domains.private_key", table: (tag) => tag`domains` })',
};
const faults = (path: string, text: string) => sealedColumnsAreDeclared([declaring, { path, text }]).map(({ message }) => message);
const file = "server/src/email/domain/create-domain.ts";

test("a sealed column that no room declares is refused", () => {
  expect(faults(file, 'seal(keys, { table: "domains", column: "relay_password", row: id }, text)')).toEqual([
    "seals domains.relay_password: declare it with sealedColumn in the room's sealed.sql.ts",
  ]);
  expect(faults("server/src/sms/sql.ts", 'const place = {\n  row: "1",\n  column: `secret`,\n  table: "trunks",\n};')).toHaveLength(1);
});

test("a secret that is encrypted without seal is refused", () => {
  const encrypting = 'createCipheriv("aes-256-gcm", key, nonce)';
  expect(faults(file, encrypting)).toEqual([expect.stringMatching(/^encrypts on its own/)]);
  expect(faults("server/src/providers/payment/quay/adapter.ts", encrypting)).toHaveLength(1);
});

test.each([
  ["a column that is declared", file, 'open(keys, { table: "domains", column: "private_key", row: id }, sealed)'],
  ["a cookie", "server/src/identity/sign-in/cookies/known-device.ts", '{ table: "cookie", column: "known_device", row }'],
  ["a test", "server/src/platform/secrets.test.ts", 'const place = { table: "t", column: "c", row: "r" };'],
  ["a provider's simulator", "server/src/providers/payment/quay/simulator/signing.ts", 'createCipheriv("aes-256-gcm", key, nonce)'],
  ["what names no column", file, '{ table: "domains", row: "1" }'],
])("%s is allowed", (_what, path, text) => {
  expect(faults(path, text)).toEqual([]);
});
