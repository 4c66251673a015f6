import { expect, test } from "vitest";
import torture from "../testing/rfc4475.json" with { type: "json" };
import { parseNameAddress, parseVia } from "./address.ts";
import { readCSeq } from "./message.ts";
import { type Parsed, parseMessage } from "./parse-message.ts";
import { StreamFramer } from "./stream-framer.ts";

const messages: Readonly<Record<string, string>> = torture;
const bytesOf = (name: string) => Buffer.from(messages[name] ?? "", "base64");

function outcome(parsed: Parsed | null): string {
  if (parsed === null) return "dropped";
  return parsed.fault === null ? "taken" : `${parsed.fault.status} ${parsed.fault.reason}`;
}

/** Messages of RFC 4475, as its appendix has them. Where it leaves the answer open, ours is pinned. */
test.each([
  ["wsinv", "taken"],
  ["intmeth", "taken"],
  ["esc01", "taken"],
  ["escnull", "taken"],
  ["esc02", "taken"],
  ["lwsdisp", "taken"],
  ["longreq", "taken"],
  ["dblreq", "taken"],
  ["semiuri", "taken"],
  ["transports", "taken"],
  ["mpart01", "taken"],
  ["unreason", "taken"],
  ["noreason", "taken"],
  ["badinv01", "400 Bad Via"],
  ["clerr", "400 Content-Length Mismatch"],
  ["ncl", "400 Bad Content-Length"],
  ["scalar02", "400 Bad CSeq"],
  ["scalarlg", "dropped"],
  ["quotbal", "400 Bad To"],
  ["ltgtruri", "400 Malformed Request-Line"],
  ["lwsruri", "400 Malformed Request-Line"],
  ["lwsstart", "400 Malformed Request-Line"],
  ["trws", "400 Malformed Request-Line"],
  ["escruri", "400 Headers In Request-URI"],
  ["baddate", "taken"],
  ["regbadct", "taken"],
  ["badaspec", "taken"],
  ["baddn", "taken"],
  ["badvers", "505 Version Not Supported"],
  ["mismatch01", "400 CSeq Does Not Match"],
  ["mismatch02", "400 CSeq Does Not Match"],
  ["bigcode", "dropped"],
  ["badbranch", "taken"],
  ["insuf", "400 Missing from"],
  ["unkscm", "taken"],
  ["novelsc", "taken"],
  ["unksm2", "taken"],
  ["bext01", "taken"],
  ["invut", "taken"],
  ["regaut01", "taken"],
  ["multi01", "400 Repeated from"],
  ["mcl01", "400 Bad Content-Length"],
  ["bcast", "taken"],
  ["zeromf", "taken"],
  ["cparam01", "taken"],
  ["cparam02", "taken"],
  ["regescrt", "taken"],
  ["sdp01", "taken"],
  ["inv2543", "taken"],
])("the torture message %s is %s", (name, expected) => {
  expect(outcome(parseMessage(bytesOf(name)))).toBe(expected);
});

test("every message of the RFC is in the table above, and none stops a stream's reading", () => {
  expect(Object.keys(messages)).toHaveLength(49);
  for (const name of Object.keys(messages)) expect(() => new StreamFramer().take(bytesOf(name))).not.toThrow();
});

test("the content of the tortuous INVITE is read through folds, spaces, short names and escapes", () => {
  const message = parseMessage(bytesOf("wsinv"))?.message;
  expect(message?.headers.listOf("via").map((one) => parseVia(one)?.host)).toEqual(["192.0.2.2", "spindle.example.com", "192.168.255.111"]);
  expect(parseNameAddress(message?.headers.get("to") ?? "")?.params.get("tag")).toBe("1918181833n");
  expect(parseNameAddress(message?.headers.get("from") ?? "")).toMatchObject({
    display: 'J Rosenberg \\"',
    uri: "sip:jdrosen@example.com",
  });
  expect(message === undefined ? null : readCSeq(message)).toEqual({ number: 9, method: "INVITE" });
  expect(message?.headers.get("subject")).toBe("");
  expect(message?.body).toHaveLength(150);
});

test("what follows the announced length isn't part of the message", () => {
  expect(parseMessage(bytesOf("dblreq"))?.message).toMatchObject({ method: "REGISTER", body: Buffer.alloc(0) });
});

test.each(["taken by one byte", "damaged at random"])("no torture message that is %s makes reading fail", (way) => {
  let state = 7;
  const next = (count: number) => (state = (state * 48_271) % 2_147_483_647) % count;
  for (const name of Object.keys(messages)) {
    for (let round = 0; round < 40; round += 1) {
      const bytes = Buffer.from(bytesOf(name));
      const at = next(bytes.length);
      const damaged =
        way === "taken by one byte" ? bytes.subarray(0, at) : bytes.fill(next(256), at, Math.min(bytes.length, at + 1 + next(4)));
      expect(() => parseMessage(damaged)).not.toThrow();
      expect(() => new StreamFramer().take(damaged)).not.toThrow();
    }
  }
});
