import { generateKeyPairSync } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { CredentialsInvalid } from "#gateways/index.ts";
import { hollowKey } from "#test/support/network/rsa-key.ts";
import { alipayMerchant } from "./adapter.ts";

const pem = { publicKeyEncoding: { type: "spki", format: "pem" }, privateKeyEncoding: { type: "pkcs8", format: "pem" } } as const;
const own = generateKeyPairSync("rsa", { modulusLength: 2_048, ...pem });
const theirs = generateKeyPairSync("rsa", { modulusLength: 2_048, ...pem });
const weak = generateKeyPairSync("rsa", { modulusLength: 1_024, ...pem });
const hollow = hollowKey(16_384);
const curve = generateKeyPairSync("ec", { namedCurve: "P-256", ...pem });
const bare = (text: string) => text.split("\n").slice(1, -2).join("");

const good = {
  app_id: "2021000122671080",
  seller_id: "2088102146225135",
  private_key: own.privateKey,
  alipay_public_key: theirs.publicKey,
};

function faultsOf(over: Record<string, string>): string[] {
  try {
    alipayMerchant.open({ ...good, ...over }, { livemode: false });
    return [];
  } catch (error) {
    if (!(error instanceof CredentialsInvalid)) throw error;
    return error.faults.map(({ field, reason }) => `${field}: ${reason}`);
  }
}

test.each([
  ["PKCS #8 in PEM", {}],
  ["bare base64, as Alipay's tool shows it", { private_key: bare(own.privateKey), alipay_public_key: bare(theirs.publicKey) }],
  [
    "Windows line ends and blanks around",
    { private_key: `  ${own.privateKey.replaceAll("\n", "\r\n")}\r\n`, app_id: " 2021000122671080 " },
  ],
])("keys are read as %s", (_what, over) => {
  expect(faultsOf(over)).toEqual([]);
});

test("a private key is read as PKCS #1, with its lines and without", () => {
  const key = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  expect(faultsOf({ private_key: key.privateKey })).toEqual([]);
  expect(faultsOf({ private_key: bare(key.privateKey) })).toEqual([]);
});

test.each([
  ["an App ID that is no number", { app_id: "my-app" }, ["app_id: malformed"]],
  ["a PID of no account", { seller_id: "3088102146225135" }, ["seller_id: malformed"]],
  ["a public key as the private one", { private_key: own.publicKey }, ["private_key: malformed"]],
  ["a private key as the public one", { alipay_public_key: theirs.privateKey }, ["alipay_public_key: malformed"]],
  ["a key of another kind", { private_key: curve.privateKey }, ["private_key: malformed"]],
  [
    "weak keys",
    { private_key: weak.privateKey, alipay_public_key: weak.publicKey },
    ["private_key: malformed", "alipay_public_key: malformed"],
  ],
  [
    "keys that take seconds to sign with",
    { private_key: hollow.privateKey, alipay_public_key: hollow.publicKey },
    ["private_key: malformed", "alipay_public_key: malformed"],
  ],
  ["a way on computers that there is none of", { desktop: "app" }, ["desktop: malformed"]],
  ["half a key", { private_key: own.privateKey.slice(0, 400) }, ["private_key: malformed"]],
  ["a megabyte", { private_key: "A".repeat(1_000_000) }, ["private_key: malformed"]],
  ["the app's own public key in place of Alipay's", { alipay_public_key: own.publicKey }, ["alipay_public_key: not_a_pair"]],
  ["an app certificate beside a public key", { app_cert: "-----BEGIN CERTIFICATE-----" }, ["alipay_public_key: not_a_pair"]],
  [
    "certificates that are none",
    { alipay_public_key: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", app_cert: "x" },
    ["alipay_public_key: malformed", "app_cert: malformed", "alipay_root_cert: required"],
  ],
])("%s is refused, with its place", (_what, over, faults) => {
  expect(faultsOf(over)).toEqual(faults);
});

describe("in certificate mode", () => {
  let certificates: Record<string, string>;
  beforeAll(async () => {
    const { generate } = await import("selfsigned");
    const made = async (name: string, pair: { publicKey: string; privateKey: string }) =>
      (await generate([{ name: "commonName", value: name }], { keyPair: pair, algorithm: "sha256" })).cert;
    certificates = {
      app_cert: await made("app", own),
      alipay_public_key: await made("alipay", theirs),
      alipay_root_cert: await made("root", theirs),
    };
  });

  test("an account is opened with the certificates of both sides, and knows the serial numbers of Alipay's", () => {
    expect(faultsOf(certificates)).toEqual([]);
    const account = alipayMerchant.open({ ...good, ...certificates }, { livemode: true });
    expect(account.keyIds).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    const renewed = alipayMerchant.open(
      { ...good, ...certificates, alipay_public_key: `${certificates["alipay_public_key"]}\n${certificates["alipay_root_cert"]}` },
      { livemode: true },
    );
    expect(renewed.keyIds).toHaveLength(2);
  });

  test("an app certificate of another key is refused", () => {
    expect(faultsOf({ ...certificates, app_cert: certificates["alipay_root_cert"] ?? "" })).toEqual(["app_cert: not_a_pair"]);
    expect(faultsOf({ ...certificates, alipay_root_cert: "", app_cert: "" })).toEqual(["app_cert: required", "alipay_root_cert: required"]);
  });
});
