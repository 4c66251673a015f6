import { expect, test } from "vitest";
import { addressPolicy } from "#platform/index.ts";
import { mailPeer, outgoing, patient, stubDns } from "#test/support/mail/mail-peer.ts";
import { loopback, mxTo, peerAndMx, usualZone } from "#test/support/mail/mx-transport.ts";

test("the next server is tried if the first is unreachable, in the order of preference", async () => {
  const peer = await mailPeer();
  const dns = stubDns({
    "example.com": {
      mx: [
        [20, "mx2.example.com"],
        [10, "mx1.example.com"],
      ],
    },
    "mx1.example.com": { a: ["127.0.0.9"] },
    "mx2.example.com": loopback,
  });
  const mx = mxTo(peer.port, { dns });
  expect(await mx.send(outgoing(), patient)).toMatchObject({ result: "accepted", remote: "mx2.example.com [127.0.0.1]" });
});

test.each([
  [
    "a null MX",
    { "example.com": { mx: [[0, ""]] as [number, string][] } },
    null,
    { result: "refused", enhanced_code: "5.1.10", suppress: true, bounce: { type: "permanent", subtype: "dns" } },
  ],
  ["no such domain, asked once", {}, null, { result: "deferred", bounce: { type: "transient", subtype: "dns" } }],
  ["no such domain, after a greylisting", {}, "4.7.1", { result: "deferred", bounce: { type: "transient", subtype: "dns" } }],
  [
    "no such domain, asked twice",
    {},
    "4.1.2",
    { result: "refused", enhanced_code: "5.1.2", suppress: false, bounce: { type: "permanent", subtype: "dns" } },
  ],
  ["neither MX nor address", { "example.com": {} }, "4.1.2", { result: "refused", bounce: { subtype: "dns" } }],
  [
    "DNS out of order",
    { "example.com": { mx: "ESERVFAIL" as const } },
    "4.1.2",
    { result: "deferred", enhanced_code: "4.4.3", bounce: { subtype: "dns" } },
  ],
  ["DNS that does not answer", { "example.com": { mx: "ETIMEOUT" as const } }, "4.1.2", { result: "deferred", bounce: { subtype: "dns" } }],
  [
    "a server without an address",
    { "example.com": { mx: [[5, "mx.example.com"]] as [number, string][] } },
    null,
    { result: "deferred", until: expect.any(Date) },
  ],
])("%s is reported as it is", async (_what, zone, enhanced_code, outcome) => {
  expect(
    await mxTo(1, { dns: stubDns(zone) }).send(outgoing({ attempt: 9, previous: { smtp_code: null, enhanced_code } }), patient),
  ).toMatchObject(outcome);
});

const ofOurs = (mx: [number, string][]) => ({
  "example.com": { mx },
  "acme.example": loopback,
  "bounce.acme.example": loopback,
  "mx.example.com": loopback,
});

test.each<[string, [number, string][]]>([
  ["by our own name", [[10, "ACME.example."]]],
  ["by the name that bounces come to", [[10, "bounce.acme.example"]]],
  [
    "before all others",
    [
      [10, "acme.example"],
      [10, "mx.example.com"],
      [20, "mx.example.com"],
    ],
  ],
])("a domain whose MX leads back to us %s is refused without a connection, and no one is suppressed", async (_how, mx) => {
  const { peer, mx: transport } = await peerAndMx({}, { dns: stubDns(ofOurs(mx)), ownNames: ["bounce.acme.example"] });
  const outcome = { result: "refused", enhanced_code: "5.4.6", suppress: false, bounce: { type: "permanent", subtype: "dns" } };
  expect(await transport.send(outgoing(), patient)).toMatchObject(outcome);
  expect(peer.connections()).toBe(0);
});

test("a domain for which we are only the second server gets its email at the first", async () => {
  const { mx } = await peerAndMx(
    {},
    {
      dns: stubDns(
        ofOurs([
          [20, "acme.example"],
          [10, "mx.example.com"],
        ]),
      ),
    },
  );
  expect(await mx.send(outgoing(), patient)).toMatchObject({ result: "accepted", remote: "mx.example.com [127.0.0.1]" });
});

test("a domain without MX gets its email at its own address", async () => {
  const peer = await mailPeer();
  const mx = mxTo(peer.port, { dns: stubDns({ "example.com": loopback }) });
  expect(await mx.send(outgoing(), patient)).toMatchObject({ result: "accepted", remote: "example.com [127.0.0.1]" });
});

test.each(["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "::ffff:10.0.0.1", "fd00::1"])(
  "a server that claims to be at %s isn't contacted",
  async (address) => {
    const peer = await mailPeer();
    const mx = mxTo(peer.port, {
      dns: stubDns({ "example.com": { mx: [[5, "mx.example.com"]] }, "mx.example.com": { a: [address] } }),
      admits: addressPolicy([]),
    });
    expect(await mx.send(outgoing(), patient)).toMatchObject({
      result: "refused",
      suppress: false,
      bounce: { type: "permanent", subtype: "dns" },
    });
    expect(peer.connections()).toBe(0);
  },
);

test.each(["ada@[127.0.0.1]", "ada@127.0.0.1", "ada@localhost", "ada", "@example.com"])("%s leads nowhere", async (to) => {
  expect(await mxTo(1).send(outgoing({ to }), patient)).toMatchObject({ result: "refused", suppress: false });
});

test("IPv4 is tried before IPv6", async () => {
  const peer = await mailPeer();
  const dns = { ...stubDns(usualZone), addresses: async () => ["127.0.0.1", "::1"] };
  expect(await mxTo(peer.port, { dns }).send(outgoing(), patient)).toMatchObject({ remote: "mx.example.com [127.0.0.1]" });
});

test("a domain in another script is looked up and written as DNS knows it", async () => {
  const { mx } = await peerAndMx({ server: { hideSMTPUTF8: true } }, { dns: stubDns({ "xn--bcher-kva.example": loopback }) });
  expect(await mx.send(outgoing({ to: "ada@Bücher.example" }), patient)).toMatchObject({ result: "accepted" });
});
