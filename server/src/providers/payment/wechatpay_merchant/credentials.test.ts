import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type CredentialFault, CredentialsInvalid } from "#gateways/index.ts";
import { openShop } from "#test/support/gateways/simulated/wechatpay-shop.ts";
import { hollowKey } from "#test/support/network/rsa-key.ts";
import { wechatpayMerchant } from "./adapter.ts";

const { fields } = await openShop();
const pemOf = (key: KeyObject, type: "pkcs8" | "spki") => String(key.export({ type, format: "pem" } as { type: "pkcs8"; format: "pem" }));
const small = generateKeyPairSync("rsa", { modulusLength: 1_024 });
const hollow = hollowKey(16_384);
const curve = generateKeyPairSync("ec", { namedCurve: "P-256" });

function faultsOf(over: Record<string, string>): CredentialFault[] {
  try {
    wechatpayMerchant.open({ ...fields, ...over }, { livemode: true });
    return [];
  } catch (error) {
    if (error instanceof CredentialsInvalid) return [...error.faults];
    throw error;
  }
}

describe("credentials", () => {
  test.each([
    ["a merchant ID in words", { mchid: "shop" }, ["mchid", "malformed"]],
    ["an AppID that is none", { appid: "gh_0123456789ab" }, ["appid", "malformed"]],
    ["a serial number that is none", { certificate_serial: "serial" }, ["certificate_serial", "malformed"]],
    ["an APIv3 key of 16 bytes", { api_v3_key: "testMchAPIv3Key0" }, ["api_v3_key", "malformed"]],
    ["an APIv3 key of 32 characters that take more bytes", { api_v3_key: "密".repeat(32) }, ["api_v3_key", "malformed"]],
    [
      "a private key that is none",
      { private_key: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----" },
      ["private_key", "malformed"],
    ],
    ["a private key of 1024 bits", { private_key: pemOf(small.privateKey, "pkcs8") }, ["private_key", "malformed"]],
    ["a private key that takes seconds to sign with", { private_key: hollow.privateKey }, ["private_key", "malformed"]],
    ["a public key of as many bits", { public_key: hollow.publicKey }, ["public_key", "malformed"]],
    ["a private key of another kind", { private_key: pemOf(curve.privateKey, "pkcs8") }, ["private_key", "malformed"]],
    ["a public key of 1024 bits", { public_key: pemOf(small.publicKey, "spki") }, ["public_key", "malformed"]],
    ["a private key in place of the public one", { public_key: pemOf(small.privateKey, "pkcs8") }, ["public_key", "malformed"]],
    ["an ID of a public key that is none", { public_key_id: "5DEA10EF55877E3CF6C33255C2E7DEFFF7E427EC" }, ["public_key_id", "malformed"]],
    ["a public key without its ID", { public_key_id: "" }, ["public_key_id", "required"]],
    ["an ID without its public key", { public_key: " " }, ["public_key", "required"]],
    ["a switch that is neither on nor off", { h5: "yes" }, ["h5", "malformed"]],
    ["an app's secret of 31 characters", { app_secret: "0".repeat(31) }, ["app_secret", "malformed"]],
    ["an app's secret that could end a query", { app_secret: `${"0".repeat(30)}&a` }, ["app_secret", "malformed"]],
  ])("with %s are refused", (_what, over, [field, reason]) => {
    expect(faultsOf(over).map((fault) => [fault.field, fault.reason])).toEqual([[field, reason]]);
  });

  test("with the merchant's own public key instead of WeChat Pay's are refused", () => {
    const own = createPublicKey(fields["private_key"] ?? "")
      .export({ type: "spki", format: "pem" })
      .toString();
    expect(faultsOf({ public_key: own })).toMatchObject([
      { field: "public_key", reason: "malformed", message: expect.stringContaining("own key") },
    ]);
  });

  test("may have blanks around them, lower-case letters, or no public key", () => {
    expect(
      faultsOf({
        mchid: ` ${fields["mchid"]}\n`,
        certificate_serial: (fields["certificate_serial"] ?? "").toLowerCase(),
        public_key_id: "",
        public_key: "",
        h5: "",
        app_secret: "",
      }),
    ).toEqual([]);
    const pkcs1 = createPrivateKey(fields["private_key"] ?? "")
      .export({ type: "pkcs1", format: "pem" })
      .toString();
    expect(faultsOf({ private_key: pkcs1 })).toEqual([]);
  });
});
