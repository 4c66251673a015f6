import { X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isFresh, isSigned, openResource, readProof } from "./signature.ts";

/** Of `core/src/test/java/com/wechat/pay/java/core/model/TestConfig.java` of wechatpay-java 0.2.17. */
const apiV3Key = Buffer.from("a7cde1ZJB1kG2e7VfTs3jQzaWizur8Gb");

/** Of `core/notify/notify_test.go` of wechatpay-go 0.2.21: a whole callback, and the certificate of the key that signed it. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIDVzCCAj+gAwIBAgIJANfOWdH1ItcBMA0GCSqGSIb3DQEBCwUAMEIxCzAJBgNV
BAYTAlhYMRUwEwYDVQQHDAxEZWZhdWx0IENpdHkxHDAaBgNVBAoME0RlZmF1bHQg
Q29tcGFueSBMdGQwHhcNMjEwNDI3MDg1NTIzWhcNMzEwNDI1MDg1NTIzWjBCMQsw
CQYDVQQGEwJYWDEVMBMGA1UEBwwMRGVmYXVsdCBDaXR5MRwwGgYDVQQKDBNEZWZh
dWx0IENvbXBhbnkgTHRkMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA
2VCTd91fnUn73Xy9DLvt/V62TVxRTEEstVdeRaZ3B3leO0pldE806mXO4RwdHXag
HQ4vGeZN0yqm++rDsGK+U3AH7kejyD2pXshNP9Cq5YwbptiLGtjcquw4HNxJQUOm
DeJf2vg6byms9RUipiq4SzbJKqJFlUpbuIPDpSpWz10PYmyCNeDGUUK65E5h2B83
4uxl1zNLYQCrkdBzb8oUxwYeP5a2DNxmjL5lsJML7DGr5znsevnoqGRwTm9fxCGf
y8wus7hwKz6clt3Whmmda7UAdb1c08hEQFVRbF14AR73xbnd8N0obCWJPCbzMCtk
aSef4FdEEgEXJiw0VAJT8wIDAQABo1AwTjAdBgNVHQ4EFgQUT1c7nd/SUO76HSoZ
umNUJv1R5PwwHwYDVR0jBBgwFoAUT1c7nd/SUO76HSoZumNUJv1R5PwwDAYDVR0T
BAUwAwEB/zANBgkqhkiG9w0BAQsFAAOCAQEAfTjxKRQMzNB/U6ZoCUS+BSNfa2Oh
0plMN6ZuzwiVVZwg1jywvv5yv04koS7Pd4i9E4gt9ZBUQXlpq+A3oOCEEHNRR6b2
kyazGRM7s0OP5X21WrbpSmKmU6K7hkfx30yYs08LVs/Q8DIhvaj1FCFeJzUCzYn/
fHMq4tsbKO0dKAeydPM/nrUZBmaYQVKMVOORGLFjFKVO7JV6Kq/R86ouhjEPgJOe
2xulNBUcjicqtZlBdEh/PWCYP2SpGVDclKm8jeo175T3EVAkdKzzmfpxtMmnMlmq
cTJOU9TxuGvNASMtjj7pYIerTx+xgZDXEVBWFW9PjJ0TV06tCRsgSHItgg==
-----END CERTIFICATE-----`;
const headers: Readonly<Record<string, string>> = {
  "wechatpay-nonce": "EcZ9Cmy4Xyx1i6RlJQzLcCyEqDa26NBz",
  "wechatpay-timestamp": "1624523846",
  "wechatpay-serial": "D7CE59D1F522D701",
  "wechatpay-signature": [
    "tJHIiIS9eB2hAYstmAmbbD3ZE5LiIm/Ug5tuL4fC0YOFRWIHV39UFIZXC0e9Wl6lBu6sKvkqDkzpqzBsVHyXF",
    "lbYZTOQrVdG4b6LfTnK4mikv9++ixJMd3vTf2yCqvBkh98zs3Ds5zsYQakzbcwhmw4fMJs4nPLws28H0UW9FjDR//rxELLwXvV1VEA1I",
    "BLX70xptjL8hrfUjEE8kkry6yNJTHZRU8CAc7qHli2Ng1V1qb9ARbK8A3ThmFmPQvRGrapI/jS2laKKgYUmfdEdkNO6B2Cke5e8VTxY4",
    "06ArAmQ90GAihDwIcb16TQMnzCMBoutnwZKNiKRACrFmtxw2Q==",
  ].join(""),
};
const ciphertext = [
  "YDS3lKPaC4Y52Gf3uhft5qUBlIa8b428AWTtTauHQfQrRw+X1WpiuHIDy0vo1Vd6VEq67aVyqPdDYMkRVSDaZL3iZt",
  "tevRMOoPKMifozg6XPWjIZumks/GpT48lI4NizyeaqLBokNebthah3o1H76qSlO9NkDjp9bzmKLEYYH9TEklFUpsvPqOTOcgSLgh21YJXYR",
  "7dEBXFgRLiNIKRgO5JdXh1hccRUAlyVWxE54PXpnQ==",
].join("");
const body = JSON.stringify({
  id: "3119dfba-e649-5eec-ab1e-3412bc4d2e17",
  create_time: "2021-06-24T16:37:26+08:00",
  resource_type: "encrypt-resource",
  event_type: "PAYSCORE.USER_OPEN_SERVICE",
  summary: "签约成功",
  resource: { original_type: "payscore", algorithm: "AEAD_AES_256_GCM", ciphertext, associated_data: "payscore", nonce: "Kj7QIyUiYx1q" },
});

describe("a published callback", () => {
  const { publicKey } = new X509Certificate(certificate);
  const proof = readProof((name) => headers[name]);

  test("is accepted with the key of its certificate", () => {
    expect(proof).not.toBeNull();
    expect(proof !== null && isSigned(proof, Buffer.from(body), publicKey)).toBe(true);
    expect(proof !== null && isSigned(proof, Buffer.from(body.replace("签约", "解约")), publicKey)).toBe(false);
  });

  test.each([
    [0, true],
    [299, true],
    [-299, true],
    [300, false],
    [-300, false],
  ])("is fresh %i seconds later: %s", (seconds, expected) => {
    expect(proof !== null && isFresh(proof, new Date((1_624_523_846 + seconds) * 1_000))).toBe(expected);
  });

  test("isn't opened by an APIv3 key of 16 bytes, with which that library's test encrypted it", () => {
    expect(openResource({ ciphertext, nonce: "Kj7QIyUiYx1q", associatedData: "payscore" }, Buffer.from("testMchAPIv3Key0"))).toBeNull();
  });
});

describe("a published encryption", () => {
  /** Of `core/src/test/java/com/wechat/pay/java/core/cipher/AeadAesCipherTest.java` of wechatpay-java 0.2.17. */
  const sealed = { ciphertext: "ulwSiIajGClcvcOYvOQ7+l+0PAbzzwI=", nonce: "uluk4a9R25RW", associatedData: "associatedData" };

  test("is opened with its key", () => {
    expect(openResource(sealed, apiV3Key)).toBe("message");
  });

  test.each([
    ["another key", sealed, Buffer.from("b7cde1ZJB1kG2e7VfTs3jQzaWizur8Gb")],
    ["other data beside it", { ...sealed, associatedData: "" }, apiV3Key],
    ["another nonce", { ...sealed, nonce: "uluk4a9R25RX" }, apiV3Key],
    ["no nonce", { ...sealed, nonce: "" }, apiV3Key],
    ["a shorter tag", { ...sealed, ciphertext: sealed.ciphertext.slice(0, 24) }, apiV3Key],
    ["nothing inside", { ...sealed, ciphertext: "" }, apiV3Key],
  ])("isn't opened with %s", (_what, given, key) => {
    expect(openResource(given, key)).toBeNull();
  });
});

test.each([
  ["a timestamp in words", { "wechatpay-timestamp": "now" }],
  ["a timestamp below zero", { "wechatpay-timestamp": "-1" }],
  ["a nonce with a line break", { "wechatpay-nonce": "a\nb" }],
  ["a serial number with a path", { "wechatpay-serial": "../x" }],
  ["no signature", { "wechatpay-signature": "" }],
  ["an endless signature", { "wechatpay-signature": "A".repeat(2_000) }],
  ["another scheme", { "wechatpay-signature-type": "WECHATPAY2-SM2-WITH-SM3" }],
])("%s isn't a proof", (_what, over) => {
  const changed: Record<string, string> = { ...headers, ...over };
  expect(readProof((name) => changed[name])).toBeNull();
});
