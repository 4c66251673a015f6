import { expect, test } from "vitest";
import { outgoing, patient, stubDns } from "#test/support/mail/mail-peer.ts";
import { loopback, peerAndMx, usualZone } from "#test/support/mail/mx-transport.ts";
import { certificate } from "#test/support/network/certificate.ts";

test("encryption is used if it is offered, whatever the certificate", async () => {
  const { peer, mx } = await peerAndMx({ server: { ...(await certificate()), disabledCommands: [] } });
  expect(await mx.send(outgoing(), patient)).toMatchObject({ result: "accepted" });
  expect(peer.mails[0]?.secure).toBe(true);
});

test("a server whose encryption is broken gets its email unencrypted, and isn't asked for encryption again", async () => {
  const { peer, mx } = await peerAndMx(
    {
      server: {
        ...(await certificate()),
        disabledCommands: [],
        minVersion: "TLSv1.3",
        maxVersion: "TLSv1.3",
        ciphers: "TLS_AES_128_CCM_8_SHA256",
      },
    },
    { siteLimits: { messagesPerConnection: 1 } },
  );
  expect(await mx.send(outgoing(), patient)).toMatchObject({ result: "accepted" });
  const connections = peer.connections();
  expect(await mx.send(outgoing(), patient)).toMatchObject({ result: "accepted" });
  expect([peer.mails.map((mail) => mail.secure), connections, peer.connections()]).toEqual([[false, false], 2, 3]);
});

const stsZone = { ...usualZone, "_mta-sts.example.com": { txt: ["v=STSv1; id=1"] } };
const stsPolicy =
  (mode: string, mx = "mx.example.com") =>
  async (url: string) =>
    url === "https://mta-sts.example.com/.well-known/mta-sts.txt"
      ? `version: STSv1\r\nmode: ${mode}\r\nmx: ${mx}\r\nmax_age: 86400\r\n`
      : null;

test.each([
  ["an untrusted certificate", "enforce", "mx.example.com", { result: "deferred", until: expect.any(Date), enhanced_code: "4.7.5" }],
  ["another server than the policy names", "enforce", "other.example.com", { result: "deferred", bounce: { subtype: "policy" } }],
  ["a policy that is only being tried", "testing", "other.example.com", { result: "accepted" }],
])("MTA-STS: %s", async (_what, mode, host, outcome) => {
  const { peer, mx } = await peerAndMx(
    { server: { ...(await certificate()), disabledCommands: [] } },
    { dns: stubDns(stsZone), fetchText: stsPolicy(mode, host) },
  );
  expect(await mx.send(outgoing(), patient)).toMatchObject(outcome);
  expect(peer.mails).toHaveLength(outcome.result === "accepted" ? 1 : 0);
});

test("MTA-STS: a server that offers no encryption gets nothing, one with a valid certificate does", async () => {
  const plain = await peerAndMx({}, { dns: stubDns(stsZone), fetchText: stsPolicy("enforce") });
  expect(await plain.mx.send(outgoing(), patient)).toMatchObject({ result: "deferred", until: expect.any(Date) });
  const { cert, key } = await certificate();
  const zone = { ...stsZone, "example.com": { mx: [[5, "mx.receiver.example"]] as [number, string][] }, "mx.receiver.example": loopback };
  const valid = await peerAndMx(
    { server: { cert, key, disabledCommands: [] } },
    { dns: stubDns(zone), fetchText: stsPolicy("enforce", "*.receiver.example"), ca: [cert] },
  );
  expect(await valid.mx.send(outgoing(), patient)).toMatchObject({ result: "accepted" });
  expect([plain.peer.mails.length, valid.peer.mails.map((mail) => mail.secure)]).toEqual([0, [true]]);
});
