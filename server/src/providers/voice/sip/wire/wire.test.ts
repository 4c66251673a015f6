import { describe, expect, test, vi } from "vitest";
import { parseHostPort, parseNameAddress, parseUri, parseVia } from "./address.ts";
import { answerChallenge, chooseChallenge } from "./digest.ts";
import { HeaderList } from "./header-list.ts";
import { writeMessage } from "./message.ts";
import { parseMessage } from "./parse-message.ts";
import { parseParams, splitList } from "./scan.ts";
import { readDescription, writeDescription } from "./session-description.ts";
import { StreamFramer } from "./stream-framer.ts";

const request = (body = "") =>
  `OPTIONS sip:a@b SIP/2.0\r\nVia: SIP/2.0/TCP h;branch=z9hG4bK1\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:a@b>\r\nCall-ID: c\r\nCSeq: 1 OPTIONS\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

describe("messages", () => {
  test("a line break in a value creates no header", () => {
    const headers = new HeaderList([["reason", "x\r\nEvil: 1"]]);
    const text = writeMessage({ kind: "request", method: "BYE", uri: "sip:a\r\nEvil: 2", headers, body: Buffer.alloc(0) }).toString();
    expect(text).not.toMatch(/^Evil/m);
  });

  test.each([
    ["more headers than anyone needs", `${request().slice(0, -4)}\r\n${"A: b\r\n".repeat(300)}\r\n`],
    ["more than a datagram holds", request("x".repeat(70_000))],
    ["nothing but line breaks", "\r\n\r\n\r\n"],
    ["HTTP", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["a status that is none", "SIP/2.0 999 No\r\n\r\n"],
  ])("%s is dropped", (_what, text) => {
    expect(parseMessage(Buffer.from(text))).toBeNull();
  });

  test("a stream that arrives byte by byte gives the same messages", () => {
    const framer = new StreamFramer();
    const bytes = Buffer.from(`\r\n\r\n${request("hello")}${request()}`);
    const messages = [...bytes].flatMap((byte) => framer.take(Buffer.from([byte])).messages);
    expect(messages.map(({ message }) => message.body.toString())).toEqual(["hello", ""]);
  });

  test("a stream with line ends of both kinds, cut anywhere, gives the same messages", () => {
    const unix = request("hi").replaceAll("\r\n", "\n");
    const bytes = Buffer.from(`\r\n${request("hello")}\n${unix}${request()}\r\n\r\n${unix}`);
    for (let size = 1; size <= bytes.length; size += 7) {
      const framer = new StreamFramer();
      const bodies: string[] = [];
      for (let at = 0; at < bytes.length; at += size)
        bodies.push(...framer.take(bytes.subarray(at, at + size)).messages.map(({ message }) => message.body.toString()));
      expect(bodies).toEqual(["hello", "hi", "", "hi"]);
    }
  });

  test("a body that arrives byte by byte is joined once", () => {
    const framer = new StreamFramer();
    const bytes = Buffer.from(request("x".repeat(500)));
    const head = bytes.length - 500;
    expect(framer.take(bytes.subarray(0, head)).messages).toEqual([]);
    const concat = vi.spyOn(Buffer, "concat");
    const messages = [...bytes.subarray(head)].flatMap((byte) => framer.take(Buffer.from([byte])).messages);
    expect([messages.length, concat.mock.calls.length]).toEqual([1, 1]);
    concat.mockRestore();
  });

  test.each([
    ["headers without end", "A".repeat(20_000)],
    ["a length that is none", request().replace("Content-Length: 0", "Content-Length: x")],
    ["a body beyond all bounds", request().replace("Content-Length: 0", "Content-Length: 99999999")],
  ])("a stream with %s is closed", (_what, text) => {
    expect(new StreamFramer().take(Buffer.from(text)).broken).toBe(true);
  });
});

test.each([
  ["sip:user;x=1@host:5070;lr?a=b", { user: "user;x=1", host: "host", port: 5_070 }],
  ["sips:[2001:db8::1]:5061", { user: "", host: "2001:db8::1", port: 5_061 }],
  ["sip:host", { user: "", host: "host", port: null }],
])("the address %s is read", (text, expected) => {
  expect(parseUri(text)).toMatchObject(expected);
});

test.each([
  [parseUri("tel:+1555"), null],
  [parseUri("sip:a@b:99999"), null],
  [parseUri("sip:a@b c"), null],
  [parseHostPort("h:0"), null],
  [parseNameAddress('"open <sip:a@b>'), null],
  [parseNameAddress("<sip:a@b"), null],
  [parseNameAddress("a b"), null],
  [parseVia("HTTP/1.1/TCP h"), null],
])("what isn't an address is rejected %#", (read, expected) => {
  expect(read).toEqual(expected);
});

test("commas and semicolons inside quotes and brackets aren't separators", () => {
  expect(splitList('"a,b" <sip:c,d@e>, <f>')).toEqual(['"a,b" <sip:c,d@e>', "<f>"]);
  expect(parseParams('a="x;y";b')).toEqual(
    new Map([
      ["a", "x;y"],
      ["b", ""],
    ]),
  );
});

describe("digest", () => {
  // The worked example of RFC 7616 §3.9.1, MD5 and SHA-256, and of RFC 2617 §3.5.
  const qop =
    'qop="auth, auth-int", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"';
  const input = {
    user: "Mufasa",
    password: "Circle of Life",
    method: "GET",
    uri: "/dir/index.html",
    count: 1,
    cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
    body: Buffer.alloc(0),
  };

  test.each([
    ["MD5", "8ca523f5e9506fed4657c9700eebdbec"],
    ["SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"],
  ])("responds to %s as the RFC does", (algorithm, response) => {
    const challenge = chooseChallenge([`Digest realm="http-auth@example.org", ${qop}, algorithm=${algorithm}`]);
    expect(challenge === null ? "" : answerChallenge({ ...input, challenge })).toContain(`response="${response}"`);
  });

  test("responds without qop as RFC 2069 does", () => {
    const challenge = chooseChallenge(['Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"']);
    const answer = challenge === null ? "" : answerChallenge({ ...input, challenge, password: "CircleOfLife" });
    expect(answer).toContain('response="1949323746fe6a43ef61f9606e7febea"');
    expect(answer).not.toContain("cnonce");
  });

  test("the stronger one is chosen, and one that can't be answered is ignored", () => {
    expect(
      chooseChallenge(['Digest realm="r", nonce="n", algorithm=MD5', 'Digest realm="r", nonce="n", algorithm=SHA-256'])?.algorithm,
    ).toBe("SHA-256");
    expect(chooseChallenge(['Digest realm="r", nonce="n", algorithm=SHA-512-256', "Basic realm=r", "", 'Digest realm="r"'])).toBeNull();
    expect(chooseChallenge(['Digest realm="r", nonce="n", qop="other"'])).toBeNull();
  });

  test("quotes in the server's value don't end it", () => {
    const challenge = chooseChallenge(['Digest realm="a\\"b", nonce="n\\\\"']);
    expect(challenge === null ? "" : answerChallenge({ ...input, challenge })).toContain('realm="a\\"b", nonce="n\\\\"');
  });
});

describe("descriptions", () => {
  const lines = (...more: string[]) =>
    Buffer.from(["v=0", "o=- 1 1 IN IP4 192.0.2.1", "s=-", "c=IN IP4 192.0.2.1", "t=0 0", ...more].join("\r\n"));
  const key = "inline:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

  test.each([
    [
      "static types",
      lines("m=audio 4000 RTP/AVP 8 0 96"),
      {
        port: 4_000,
        codecs: [
          { type: 8, codec: "PCMA" },
          { type: 0, codec: "PCMU" },
        ],
        events: null,
        direction: "sendrecv",
      },
    ],
    ["events", lines("m=audio 4000 RTP/AVP 0 97", "a=rtpmap:97 telephone-event/8000"), { events: 97 }],
    [
      "an address of its own",
      lines("m=audio 4000 RTP/AVP 0", "c=IN IP4 192.0.2.9", "a=sendonly"),
      { address: "192.0.2.9", direction: "sendonly" },
    ],
    ["the old way to hold", lines("m=audio 4000 RTP/AVP 0", "c=IN IP4 0.0.0.0"), { direction: "inactive" }],
    [
      "the second audio",
      lines("m=video 5000 RTP/AVP 31", "m=audio 0 RTP/AVP 0", "m=audio 4002 RTP/AVP 0"),
      { port: 4_002, media: { index: 2 } },
    ],
    [
      "a key",
      lines("m=audio 4000 RTP/SAVP 0", `a=crypto:2 AES_CM_128_HMAC_SHA1_80 ${key}|2^20`),
      { srtp: { tag: 2, key: Buffer.alloc(30) } },
    ],
    ["RTCP elsewhere", lines("m=audio 4000 RTP/AVP 0", "a=rtcp:4100"), { rtcpPort: 4_100 }],
  ])("%s is read", (_what, body, expected) => {
    expect(readDescription(body)).toMatchObject(expected);
  });

  test.each([
    ["no audio", lines("m=video 5000 RTP/AVP 31")],
    ["no codec of ours", lines("m=audio 4000 RTP/AVP 18")],
    ["a port that is none", lines("m=audio 70000 RTP/AVP 0")],
    ["a secure profile without a key", lines("m=audio 4000 RTP/SAVP 0")],
    ["a profile that is not known", lines("m=audio 4000 UDP/TLS/RTP/SAVPF 0")],
    ["nothing", Buffer.alloc(0)],
    ["no description", Buffer.from("hello")],
    ["an address that is none", Buffer.from("v=0\r\nc=IN IP4 a b\u0000\r\nm=audio 4000 RTP/AVP 0\r\nc=IN IP4 ../x")],
  ])("%s offers no audio", (_what, body) => {
    expect(readDescription(body)).toBeNull();
  });

  test("an answer lists every medium that was offered and refuses the others", () => {
    const offer = readDescription(lines("m=video 5000 RTP/AVP 31", "m=audio 4002 RTP/AVP 0"));
    const own = {
      address: "192.0.2.2",
      port: 6_000,
      codecs: [{ type: 0, codec: "PCMU" as const }],
      events: null,
      direction: "recvonly" as const,
      srtp: null,
      session: { id: "1", version: 2 },
    };
    const written = writeDescription({ ...own, ...(offer === null ? {} : { answers: offer.media }) }).toString();
    expect(written.match(/^m=.*$/gm)?.map((line) => line.trim())).toEqual(["m=video 0 RTP/AVP 31", "m=audio 6000 RTP/AVP 0"]);
  });
});
