import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { CarrierRequest } from "#messaging/index.ts";
import { verifyCallback } from "./verify-callback.ts";

const form = "application/x-www-form-urlencoded; charset=utf-8";

interface Given {
  key: string;
  origin: string;
  url: string;
  signature: string | null;
  body?: string | Buffer;
  type?: string;
}

function verify({ key, origin, url, signature, body = "", type = form }: Given) {
  const headers = { "content-type": type, ...(signature === null ? {} : { "x-twilio-signature": signature }) };
  const request: CarrierRequest = { method: body === "" ? "GET" : "POST", url, path: "", headers, body: Buffer.from(body) };
  return verifyCallback({ signingKey: key }, origin, request);
}

const encode = (pairs: Record<string, string> | [string, string][]) => new URLSearchParams(pairs).toString();

/** Twilio's documents of webhook security, and the tests of its own libraries. */
const published = { key: "12345", origin: "https://mycompany.com", url: "/myapp.php?foo=1&bar=2" };
const fields = { CallSid: "CA1234567890ABCDE", Caller: "+14158675309", Digits: "1234", From: "+14158675309", To: "+18005551212" };
const example = { ...published, signature: "RSOYDt4T1cUTdK1PDd93/VVr8B8=", body: encode(fields) };
const json = '{"property": "value", "boolean": true}';
const hash = "0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620";
const jsonExample = {
  ...published,
  url: `${published.url}&bodySHA256=${hash}`,
  signature: "a9nBmqA0ju/hNViExpshrM61xv4=",
  type: "application/json",
  body: json,
};

/** For addresses of ours, made with the npm package `twilio` 6.2.0, which also gives the published ones. */
const ours = { key: "s3cr3t-token", origin: "https://pay.example.com" };
const status = {
  AccountSid: `AC${"0123456789abcdef".repeat(2)}`,
  ApiVersion: "2010-04-01",
  From: "+14155550100",
  MessageSid: `SM${"0123456789abcdef".repeat(2)}`,
};
const sent = { ...status, MessageStatus: "delivered", SmsSid: status.MessageSid, SmsStatus: "delivered", To: "+14155552671" };
const statusUrl = "/api/carriers/sms/main/status?project=prj_1&message=sms_1";
const params = {
  AccountSid: status.AccountSid,
  Body: "你好 & café = 1+1 😀\nline two",
  From: "+14155552671",
  MessageSid: `SM${"f".repeat(32)}`,
};

describe("a callback is accepted that is signed", () => {
  test.each<[string, Given]>([
    ["as in Twilio's documents", example],
    ["with its fields in another order", { ...example, body: encode(Object.entries(fields).reverse()) }],
    ["as JSON, with its hash in the address", jsonExample],
    ["for our address of reports", { ...ours, url: statusUrl, body: encode(sent), signature: "/4nKeekeIgMv0miLieBuSbfD/Sc=" }],
    [
      "by who names the port that goes without saying",
      { ...ours, url: statusUrl, body: encode(sent), signature: "GGpt1QWhn7sOImISCsJDwlZ/NBM=" },
    ],
    [
      "with every kind of character, for a port",
      {
        ...ours,
        origin: "https://pay.example.com:8443",
        url: "/api/carriers/sms/main/inbound",
        body: encode({ ...params, NumSegments: "1", To: "+14155550100", Empty: "" }),
        signature: "fRuTSjjzYAyLvnbC8uT7QvCuXyk=",
      },
    ],
    ["without any fields, by GET", { ...ours, url: "/api/carriers/sms/main/status", signature: "X4plIz+je9RYKZZ78QmDNzwaxOE=" }],
  ])("%s", (_what, given) => {
    expect(verify(given)).toMatchObject({ ok: true });
  });

  test("and reports its content", () => {
    const verdict = verify(example);
    expect(verdict.ok && [Object.fromEntries(verdict.fields), Object.fromEntries(verdict.query)]).toEqual([fields, { foo: "1", bar: "2" }]);
    const other = verify(jsonExample);
    expect(other.ok && other.json).toEqual({ property: "value", boolean: true });
  });
});

describe("a callback isn't accepted", () => {
  test.each<[string, Given]>([
    ["without a signature", { ...example, signature: null }],
    ["with an empty one", { ...example, signature: "" }],
    ["with another one", { ...example, signature: "RSOYDt4T1cUTdK1PDd93/VVr8B9=" }],
    ["with the beginning of its own", { ...example, signature: "RSOYDt4T1cUTdK1PDd93" }],
    ["with its own twice", { ...example, signature: `${example.signature}, ${example.signature}` }],
    ["signed with another key", { ...example, key: "12346" }],
    ["signed for another host", { ...example, origin: "https://mycompany.org" }],
    ["signed for http", { ...example, origin: "http://mycompany.com" }],
    ["signed for another path", { ...example, url: "/myapp.php5?foo=1&bar=2" }],
    ["signed for another query", { ...example, url: "/myapp.php?foo=1&bar=3" }],
    ["with a longer query", { ...example, url: `${example.url}&x=` }],
    ["with another value", { ...example, body: encode({ ...fields, Digits: "9999" }) }],
    ["with a field more", { ...example, body: `${example.body}&x=1` }],
    ["with a field less", { ...example, body: encode({ ...fields, Digits: "" }) }],
    ["with a second value", { ...example, body: `${example.body}&Digits=9` }],
    ["as a form that calls itself something else", { ...example, type: "text/plain" }],
    ["as JSON that its hash is not of", { ...jsonExample, body: `${json} ` }],
    ["as JSON without a hash", { ...example, body: json, type: "application/json" }],
    [
      "as JSON with a hash of a stranger's",
      { ...jsonExample, url: jsonExample.url.replace(hash, createHash("sha256").update("{}").digest("hex")), body: "{}" },
    ],
    ["for an address that is none", { ...example, origin: "http://localhost:8080", url: "http://localhost:8080/myapp.php" }],
    ["with bytes that are no text", { ...example, body: Buffer.from([0xff, 0xfe]) }],
  ])("%s", (_what, given) => {
    expect(verify(given).ok).toBe(false);
  });

  test("when a field has two values, even if it is signed: which one counts is ambiguous", () => {
    const twice = { ...published, signature: "IK+Dwps556ElfBT0I3Rgjkr1wJU=" };
    const pairs = (digits: string[]): [string, string][] => [
      ["Sid", "CA123"],
      ["SidAccount", "AC123"],
      ...digits.map((one): [string, string] => ["Digits", one]),
    ];
    expect(verify({ ...twice, body: encode(pairs(["5678", "1234", "1234"])) })).toEqual({ ok: false, reason: "malformed" });
  });
});
