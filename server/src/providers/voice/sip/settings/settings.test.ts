import { expect, test } from "vitest";
import { listenFault, publicAddressFault, readSipSettings, rtpPortsFault, trunksFault } from "./read-sip-settings.ts";
import { readTrunks } from "./read-trunks.ts";

test("trunks are read with all of their options", () => {
  const { trunks, faults } = readTrunks(
    "sip://us%40er:p%2Cw%3A1@sip.example:5080?name=main&transport=tcp&register=1&channels=30&cps=5&countries=us,49&plus=0&ping=0, sips://backup.example?srtp=1",
  );
  expect(faults).toEqual([]);
  expect(trunks).toEqual([
    {
      ...{ name: "main", host: "sip.example", port: 5_080, transport: "TCP", user: "us@er", password: "p,w:1", register: true },
      ...{ channels: 30, cps: 5, countries: ["US", "49"], plus: false, srtp: false, ping: false },
    },
    {
      ...{ name: "backup.example", host: "backup.example", port: null, transport: "TLS", user: null, password: null, register: false },
      ...{ channels: 30, cps: 1, countries: null, plus: true, srtp: true, ping: true },
    },
  ]);
});

test.each([
  ["http://a", "trunk 1 must be a URL such as sip://user:password@host:5060"],
  ["sip://", "must name a host"],
  ["sip://a?transport=sctp", "must have the transport"],
  ["sips://a?transport=udp", "must have the transport"],
  ["sip://a?channels=0", "channels from 1 to 10000"],
  ["sip://a?cps=x", "cps from 1 to 1000"],
  ["sip://a?register=yes", "register 1 or 0"],
  ["sip://a?register=1", "a user and a password"],
  ["sip://:geheim@a", "a password without a user"],
  ["sip://u:geheim%@a", "%25"],
  ["sip://a?name=two words", "name of up to 40"],
  ["sip://a?countries=Germany", "countries as codes"],
  ["sip://a?srtp=1", "transport tls for srtp"],
  ["sip://a?weight=1", "trunk 1 has a parameter that isn't one of name, transport"],
  ["sip://a?cps=1&cps=2", "has a parameter twice"],
  ["sip://u:geheim@a?name=x,sip://b?name=x", "trunk 2 has the name of trunk 1"],
  // Passwords whose special characters aren't encoded.
  ["sip://1001:12?geheim@host", "has a parameter that isn't one of"],
  ["sip://1001:12?cps=1&geheim=7@host", "has a parameter that isn't one of"],
  ["sip://1001:98#geheim@host", "has more behind the host"],
  ["sip://1001:98/geheim@host", "has more behind the host"],
  ["sip://u:x@geheim/y@host,sip://u:x@geheim/y@host", "has more behind the host"],
  ["sip://1001:a#geheim@host", "percent-encoded"],
])("the fault of %s is reported, without a password", (text, words) => {
  expect(trunksFault(text)).toContain(words);
  expect(trunksFault(text)).not.toContain("geheim");
});

test("all faults are reported together", () => {
  expect(trunksFault("sip://a?channels=0,sip://b?transport=x,sip://c?cps=0")?.split("; ")).toHaveLength(3);
});

test.each([
  [listenFault("udp://0.0.0.0:5060,tcp://[::]:5060"), null],
  [listenFault("udp://host:5060"), "udp://0.0.0.0:5060"],
  [listenFault("0.0.0.0:5060"), "udp://0.0.0.0:5060"],
  [listenFault("tls://0.0.0.0?cert=/nowhere&key=/nowhere"), "readable files"],
  [publicAddressFault("203.0.113.7"), null],
  [publicAddressFault("sip.example"), "an IP address"],
  [rtpPortsFault("20000-20999"), null],
  [rtpPortsFault("20000"), "two ports"],
  [rtpPortsFault("80-200"), "two ports"],
  [rtpPortsFault("30000-20000"), "two ports"],
])("what is wrong with the other settings is reported %#", (fault, words) => {
  if (words === null) expect(fault).toBeNull();
  else expect(fault).toContain(words);
});

test.each([
  [{ RTP_PORTS: "20000-20009" }, "two ports for each of the 30 channels"],
  [{ SIP_LISTEN: "tcp://0.0.0.0:5060" }, "udp://"],
  [{}, null],
])("settings that don't fit together are reported: %j", (more, words) => {
  const { faults } = readSipSettings({
    SIP_TRUNKS: "sip://a",
    SIP_LISTEN: "udp://0.0.0.0:5060",
    SIP_PUBLIC_ADDRESS: null,
    RTP_PORTS: "20000-20999",
    ...more,
  });
  expect(faults.join()).toContain(words ?? "");
  expect(faults).toHaveLength(words === null ? 0 : 1);
});
