import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { GatewayCall, RawCallback } from "#gateways/index.ts";
import { simulatedWorld } from "#test/support/gateways/simulated/simulated-world.ts";
import { refusalOf } from "./signature.ts";
import { certificateOf, findSigner } from "./simulator/certificates.ts";
import { paypalSimulator } from "./simulator.ts";

/** A message that PayPal's sandbox sent in 2015, and the certificates of its time; the file names its sources. */
const published = JSON.parse(readFileSync(new URL("published-webhook.json", import.meta.url), "utf8"));
const der = (name: "leaf" | "issuer" | "root") => Buffer.from(published.certificates[name], "base64");
const pem = (name: "leaf" | "issuer" | "root") =>
  `-----BEGIN CERTIFICATE-----\r\n${published.certificates[name]}\r\n-----END CERTIFICATE-----`;
const certificateUrl: string = published.headers["paypal-cert-url"];
const issuerUrl = "https://cacerts.digicert.com/DigiCertSHA2ExtendedValidationServerCA.crt";

const callback: RawCallback = {
  method: "POST",
  path: "/callbacks",
  headers: published.headers,
  body: Buffer.from(published.body),
  receivedAt: new Date("2015-05-18T15:45:20Z"),
};
const sandbox = { webhookId: published.webhook_id as string, livemode: false };

/** A call of that day, to servers that hand out those certificates. */
function callOf(over: Partial<GatewayCall> & { files?: Record<string, () => Response> } = {}): GatewayCall & { fetched: string[] } {
  const fetched: string[] = [];
  const files = over.files ?? { [certificateUrl]: () => new Response(pem("leaf")), [issuerUrl]: () => new Response(der("issuer")) };
  return {
    ...simulatedWorld().call(paypalSimulator),
    baseUrl: "https://api-m.sandbox.paypal.com",
    now: () => callback.receivedAt,
    roots: async () => [pem("root")],
    fetch: async (input, init) => {
      if (init?.redirect !== "manual") throw new Error("redirects must not be followed");
      fetched.push(String(input));
      return files[String(input)]?.() ?? new Response("", { status: 404 });
    },
    ...over,
    fetched,
  };
}

test("a message that PayPal published is accepted, by a chain of certificates up to a trusted root", async () => {
  const call = callOf();
  expect(await refusalOf(call, callback, sandbox)).toBeNull();
  expect(call.fetched).toEqual([certificateUrl, issuerUrl]);
});

test("a certificate that includes its issuers needs no other server", async () => {
  const call = callOf({ files: { [certificateUrl]: () => new Response(`${pem("leaf")}\n${pem("issuer")}\n`) } });
  expect(await refusalOf(call, callback, sandbox)).toBeNull();
  expect(call.fetched).toEqual([certificateUrl]);
});

test.each<[string, Partial<RawCallback>, string]>([
  ["another body", { body: Buffer.from(published.body.replace("20.00", "90.00")) }, "signature"],
  ["the same body, written otherwise", { body: Buffer.from(JSON.stringify(JSON.parse(published.body), null, 1)) }, "signature"],
  ["another time", { headers: { ...published.headers, "paypal-transmission-time": "2015-05-18T15:45:14Z" } }, "signature"],
  [
    "another transmission",
    { headers: { ...published.headers, "paypal-transmission-id": "efcfecb0-50a3-11e4-acdb-8d0d8bca8f12" } },
    "signature",
  ],
  ["no signature", { headers: { ...published.headers, "paypal-transmission-sig": "" } }, "signature"],
  ["a short signature", { headers: { ...published.headers, "paypal-transmission-sig": "AAAA" } }, "signature"],
  [
    "a signature of zeros",
    { headers: { ...published.headers, "paypal-transmission-sig": Buffer.alloc(256).toString("base64") } },
    "signature",
  ],
  ["a weaker algorithm", { headers: { ...published.headers, "paypal-auth-algo": "SHA1withRSA" } }, "unsupported"],
  ["fields that run into each other", { headers: { ...published.headers, "paypal-transmission-id": "a|b" } }, "malformed"],
  ["no time", { headers: { ...published.headers, "paypal-transmission-time": "" } }, "malformed"],
  ["another method", { method: "GET" }, "malformed"],
  ["no headers", { headers: {} }, "signature"],
])("a callback with %s is refused", async (_what, change, reason) => {
  expect(await refusalOf(callOf(), { ...callback, ...change }, sandbox)).toBe(reason);
});

test("a callback of another webhook is refused", async () => {
  expect(await refusalOf(callOf(), callback, { ...sandbox, webhookId: "3RN13029J36659323" })).toBe("signature");
});

test.each([
  ["http://api.sandbox.paypal.com/v1/notifications/certs/CERT-1"],
  ["https://api.paypal.com/v1/notifications/certs/CERT-1"],
  ["https://api.sandbox.paypal.com.example.com/v1/notifications/certs/CERT-1"],
  ["https://api.sandbox.paypal.com@example.com/v1/notifications/certs/CERT-1"],
  ["https://example.com#@api.sandbox.paypal.com/v1/notifications/certs/CERT-1"],
  ["https://api.sandbox.paypal.com:8443/v1/notifications/certs/CERT-1"],
  ["https://someone@api.sandbox.paypal.com/v1/notifications/certs/CERT-1"],
  ["https://API.sandbox.paypal.com/v1/notifications/certs/CERT-1"],
  ["https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1?to=https://example.com"],
  ["https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1#a"],
  ["https://api.sandbox.paypal.com/v1/notifications/certs/../../oauth2/CERT-1"],
  ["https://api.sandbox.paypal.com/v1/notifications/certs/%2e%2e/CERT-1"],
  ["https://api.sandbox.paypal.com/v1/notifications/certs/"],
  ["https:\\\\api.sandbox.paypal.com\\v1\\notifications\\certs\\CERT-1"],
  ["//api.sandbox.paypal.com/v1/notifications/certs/CERT-1"],
  ["https://169.254.169.254/v1/notifications/certs/CERT-1"],
  ["file:///v1/notifications/certs/CERT-1"],
  [`https://api.sandbox.paypal.com/v1/notifications/certs/CERT-${"1".repeat(300)}`],
  [""],
])("a certificate at %j isn't PayPal's, and isn't fetched", async (url) => {
  const call = callOf();
  expect(await refusalOf(call, { ...callback, headers: { ...callback.headers, "paypal-cert-url": url } }, sandbox)).toBe("unknown_key");
  expect(call.fetched).toEqual([]);
});

test.each<[string, Parameters<typeof callOf>[0], { livemode: boolean }]>([
  ["nobody is trusted", { roots: async () => [] }, sandbox],
  ["only somebody else is trusted", { roots: () => paypalSimulator.roots?.(simulatedWorld()) ?? Promise.resolve([]) }, sandbox],
  ["its time is over", { now: () => new Date("2017-03-23T00:00:00Z") }, sandbox],
  ["its time has not come", { now: () => new Date("2015-03-17T00:00:00Z") }, sandbox],
  ["it is made out to the sandbox, and the account is live", { baseUrl: "https://api.sandbox.paypal.com" }, { livemode: true }],
  ["its issuer is away for good", { files: { [certificateUrl]: () => new Response(pem("leaf")) } }, sandbox],
  [
    "another certificate is handed out as its issuer",
    { files: { [certificateUrl]: () => new Response(pem("leaf")), [issuerUrl]: () => new Response(der("leaf")) } },
    sandbox,
  ],
  ["it is an authority's own", { files: { [certificateUrl]: () => new Response(pem("issuer")) } }, sandbox],
  ["there is none", { files: {} }, sandbox],
  [
    "the address leads elsewhere",
    { files: { [certificateUrl]: () => new Response("", { status: 302, headers: { location: issuerUrl } }) } },
    sandbox,
  ],
  ["it is no certificate", { files: { [certificateUrl]: () => new Response("<html>") } }, sandbox],
  [
    "it is broken",
    { files: { [certificateUrl]: () => new Response("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----") } },
    sandbox,
  ],
  ["it is endless", { files: { [certificateUrl]: () => new Response(`${pem("leaf")}${" ".repeat(70_000)}`) } }, sandbox],
])("a certificate isn't accepted if %s", async (_why, over, { livemode }) => {
  expect(await refusalOf(callOf(over), callback, { ...sandbox, livemode })).toBe("unknown_key");
});

test("a certificate isn't accepted if its issuer's certificate is trusted but isn't an authority", async () => {
  const world = simulatedWorld(callback.receivedAt);
  const { key, certificate, authority } = await findSigner(world);
  const names = { issuer: "messageverificationcerts.sandbox.paypal.com", subject: "messageverificationcerts.sandbox.paypal.com" };
  const forged = certificateOf({
    ...names,
    isAuthority: false,
    from: new Date("2015-05-01T00:00:00Z"),
    days: 90,
    publicKey: key,
    signedWith: key,
  });
  const believed = async (file: string) =>
    refusalOf(callOf({ files: { [certificateUrl]: () => new Response(file) }, roots: async () => [authority] }), callback, sandbox);
  // The simulator's own is trusted here, and did not sign this message.
  expect(await believed(certificate)).toBe("signature");
  expect(await believed(`${forged}${certificate}`)).toBe("unknown_key");
});

test.each<[string, () => Response]>([
  ["is down", () => new Response("", { status: 503 })],
  [
    "does not answer",
    () => {
      throw new TypeError("fetch failed");
    },
  ],
])("a callback whose certificate's server %s is undecided, and is accepted when it is sent again", async (_what, answer) => {
  let isUp = false;
  const call = callOf({
    files: { [certificateUrl]: () => (isUp ? new Response(pem("leaf")) : answer()), [issuerUrl]: () => new Response(der("issuer")) },
  });
  await expect(refusalOf(call, callback, sandbox)).rejects.toMatchObject({ name: "Error", kind: "unavailable" });
  isUp = true;
  expect(await refusalOf(call, callback, sandbox)).toBeNull();
});

test("a certificate is fetched once a day, a refused one again after a minute, and its own end is respected to the second", async () => {
  let now = callback.receivedAt;
  const world = simulatedWorld(now);
  const call = callOf({ cache: world.call(paypalSimulator).cache, now: () => now });
  const pass = (seconds: number) => {
    world.pass(seconds);
    now = world.now();
  };
  for (let repeat = 0; repeat < 3; repeat += 1) expect(await refusalOf(call, callback, sandbox)).toBeNull();
  expect(call.fetched).toHaveLength(2);
  pass(86_401);
  await refusalOf(call, callback, sandbox);
  expect(call.fetched).toHaveLength(4);
  now = new Date("2017-03-22T12:00:01Z");
  expect(await refusalOf(call, callback, sandbox)).toBe("unknown_key");
  expect(call.fetched).toHaveLength(4);
  const stranger = { ...callback, headers: { ...callback.headers, "paypal-cert-url": `${certificateUrl}-2` } };
  for (let repeat = 0; repeat < 3; repeat += 1) expect(await refusalOf(call, stranger, sandbox)).toBe("unknown_key");
  expect(call.fetched).toHaveLength(5);
  pass(61);
  await refusalOf(call, stranger, sandbox);
  expect(call.fetched).toHaveLength(6);
});

test("strangers can't cause endless certificate fetches from PayPal, and a known certificate remains usable during that time", async () => {
  const call = callOf();
  expect(await refusalOf(call, callback, sandbox)).toBeNull();
  const stranger = (index: number) => ({ ...callback, headers: { ...callback.headers, "paypal-cert-url": `${certificateUrl}-${index}` } });
  const verdicts = await Promise.all(Array.from({ length: 100 }, async (_, index) => refusalOf(call, stranger(index), sandbox)));
  expect(new Set(verdicts), "counted as a stranger's, not as a failure of ours").toEqual(new Set(["unknown_key"]));
  expect(call.fetched.length).toBeLessThanOrEqual(20);
  expect(await refusalOf(call, callback, sandbox)).toBeNull();
});
