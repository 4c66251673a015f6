import { expect, test } from "vitest";
import { isWithoutCertificates } from "./attestation.ts";

/** {"fmt": format, "attStmt": statement, "authData": ""} in CBOR. */
function attestationOf(format: string, statement: string): string {
  const head = Buffer.concat([Buffer.from("a363666d74", "hex"), Buffer.from([0x60 + format.length]), Buffer.from(format)]);
  const rest = Buffer.from(`6761747453746d74${statement}68617574684461746140`, "hex");
  return Buffer.concat([head, rest]).toString("base64url");
}

const nothing = "a0";
const withCertificates = "a16378356380";

test.each([
  ["no statement", attestationOf("none", nothing), true],
  ["a passkey's own signature", attestationOf("packed", nothing), true],
  ["an authenticator's certificates", attestationOf("packed", withCertificates), false],
  ["an Android key's certificates", attestationOf("android-key", withCertificates), false],
  ["a format that isn't known", attestationOf("pigeon", nothing), false],
  ["no attestation at all", "AAAA", false],
  ["something else than a text", { length: 4 }, false],
])("%s: only a passkey without certificates is added, whose addresses we'd contact", async (_what, attestationObject, expected) => {
  expect(await isWithoutCertificates({ response: { attestationObject } as never })).toBe(expected);
});
