import { createHash, createHmac } from "node:crypto";
import { readWav, resample } from "#calls/index.ts";
import { readActions } from "#calls/verbs/read-actions.ts";
import { completeNumber, readTelephone } from "#messaging/index.ts";
import { readSender } from "#numbers/index.ts";
import { createFrameReader } from "#providers/sms/smpp/wire/frames.ts";
import { decodePdu, type Pdu } from "#providers/sms/smpp/wire/pdu.ts";
import { readReceipt } from "#providers/sms/smpp/wire/receipt.ts";
import { readText } from "#providers/sms/smpp/wire/text.ts";
import { verifyCallback } from "#providers/telephony/twilio/account/verify-callback.ts";
import { readInfoDigit } from "#providers/voice/sip/media/dtmf/digit-merger.ts";
import { parseNameAddress, parseUri, parseVia } from "#providers/voice/sip/wire/address.ts";
import { chooseChallenge } from "#providers/voice/sip/wire/digest.ts";
import { parseMessage } from "#providers/voice/sip/wire/parse-message.ts";
import { splitList } from "#providers/voice/sip/wire/scan.ts";
import { readDescription } from "#providers/voice/sip/wire/session-description.ts";
import { StreamFramer } from "#providers/voice/sip/wire/stream-framer.ts";
import { readKeyword } from "#sms/inbound/keywords.ts";
import { formOf, spellingsOf } from "#sms/receipts/provider-ids.ts";
import { partsOf } from "#sms/text/encode-parts.ts";
import { normalizeText } from "#sms/text/smart-encoding.ts";
import { charactersBeyondGsm7, splitText } from "#sms/text/split-text.ts";
import { buildPdu } from "#test/support/smpp/build-pdu.ts";
import { numbered, poisonForms } from "./forms.ts";
import { type Poison, poisonTexts, someTexts, times } from "./html.ts";
import { type LinearWork, tried } from "./linear-reader.ts";

const latin = (text: string) => Buffer.from(text, "latin1");

const sip = (more: string, body = "") =>
  `OPTIONS sip:a@b SIP/2.0\r\nVia: SIP/2.0/TCP h;branch=z9hG4bK1\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:a@b>\r\nCall-ID: c\r\nCSeq: 1 OPTIONS\r\n${more}\r\n\r\n${body}`;
const empty = sip("Content-Length: 0");
const poisonMessages: Readonly<Record<string, Poison>> = {
  "many headers": (length) => sip(times("A: b\r\n", length)),
  "folded lines": (length) => sip(`A: b${times("\r\n c", length)}`),
  "many hops": (length) => sip(`Via: ${times("SIP/2.0/UDP h,", length)}SIP/2.0/UDP h`),
  "a hop with many parameters": (length) => sip(`Via: SIP/2.0/UDP h${times(";a=b", length)}`),
  "lines without a colon": (length) => sip(times("a\r\n", length)),
  "a long first line": (length) => `${times("A ", length)}SIP/2.0\r\n\r\n`,
  "line breaks before it": (length) => times("\r\n", length) + empty,
  "a body": (length) => sip("A: b", times("x", length)),
};
const poisonStreams: Readonly<Record<string, Poison>> = {
  "line breaks": (length) => times("\r\n", length),
  "line breaks before a message": (length) => times("\r\n", length / 2) + times("A: b\r\n", length / 2),
  "a body": (length) => sip(`Content-Length: ${length}`, times("x", length)),
  messages: (length) => times(empty, length),
  "messages with bare line feeds": (length) => times(empty.replaceAll("\r\n", "\n"), length),
  "messages that are none": (length) => times("a\r\nl:0\r\n\r\n", length),
};

/** As a connection gets it: in pieces of this many bytes, until it would be closed. */
function stream(text: string, size: number): void {
  const framer = new StreamFramer();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) if (framer.take(bytes.subarray(at, at + size)).broken) return;
}

const address = "c=IN IP4 192.0.2.1\r\n";
const poisonDescriptions: Readonly<Record<string, Poison>> = {
  "many media": (length) => `v=0\r\n${address}${times("m=audio 0 RTP/AVP 0\r\n", length)}`,
  "many lines before many media": (length) => `v=0\r\n${times("a=\r\n", length / 8)}${times("m=audio 9 RTP/AVP 0\r\n", (length * 7) / 8)}`,
  "many attributes": (length) => `v=0\r\n${address}m=audio 9 RTP/AVP 0\r\n${times("a=rtpmap:0 x/1\r\n", length)}`,
  "many types": (length) => `v=0\r\n${address}m=audio 9 RTP/AVP${times(" 0", length)}\r\n`,
  "one long line": (length) => `v=0\r\n${times("x", length)}`,
  "line ends": (length) => `v=0\r\n${times("\r\n", length)}`,
};

/** A deliver_sm without any text, and what follows it. */
const deliver = (more: string) => buildPdu(0x05, [0, 1], latin("\0".repeat(17) + more)).toString("latin1");
const poisonPdus: Readonly<Record<string, Poison>> = {
  "small PDUs": (length) => times("\0\0\0\x10\0\0\0\x15\0\0\0\0\0\0\0\x01", length),
  "a PDU that is skipped": (length) => `\0\x0f\0\0\0\0\0\x15\0\0\0\0\0\0\0\x01${times("x", length)}`,
  "a PDU of many fields": (length) => deliver(times("\x02\x04\0\x02\0\x01", length)),
  "PDUs of text": (length) => times(deliver("\x04\x24\0\x04text"), length),
};

function readPdus(text: string, size: number): Promise<unknown> {
  const reader = createFrameReader();
  const bytes = latin(text);
  return tried(() => {
    for (let at = 0; at < bytes.length; at += size) for (const frame of reader.push(bytes.subarray(at, at + size))) decodePdu(frame.bytes);
  });
}

const codings = [
  { dataCoding: 0, alphabet: "gsm7" },
  { dataCoding: 0, alphabet: "gsm7-packed" },
  { dataCoding: 1, alphabet: "gsm7" },
  { dataCoding: 8, alphabet: "gsm7" },
  { dataCoding: 10, alphabet: "gsm7" },
] as const;

const receipt = (text: string): Pdu => ({
  command: "deliver_sm",
  status: 0,
  sequence: 1,
  number: () => undefined,
  text: () => undefined,
  bytes: (field) => (field === "message_payload" ? latin(text) : undefined),
});

const wav = "RIFF\0\0\0\0WAVE";
/** μ-law, one channel, 8,000 samples per second. */
const mulaw = "fmt \x10\0\0\0\x07\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\xff\xff\xff\x7f";

const key = "secret";
const host = "https://pay.example";
/** Signed twice: by a hash of its body, which is then read, and not at all, which is found after its fields were sorted. */
function readCarrierForm(text: string): unknown {
  const body = Buffer.from(text);
  const path = "/api/carriers/sms/a/status";
  const url = `${path}?bodySHA256=${createHash("sha256").update(body).digest("hex")}`;
  const signature = createHmac("sha1", key).update(`${host}${url}`).digest("base64");
  const headers = { "content-type": "application/x-www-form-urlencoded", "x-twilio-signature": signature };
  const request = { method: "POST", path: "status", headers, body } as const;
  return [url, path].map((one) => verifyCallback({ signingKey: key }, host, { ...request, url: one }));
}

const poisonVerbs: Readonly<Record<string, Poison>> = {
  "unknown fields": (length) => `[{"verb":"hangup"${numbered(length, (number) => `,"k${number}":1`)}}]`,
  verbs: (length) => `[${times('{"verb":"hangup"},', length)}{}]`,
  gathers: (length) => `[${times('{"verb":"gather","actions":[{"verb":"pause"}]},', length)}{}]`,
  "things that are none": (length) => `[${times("1,", length)}1]`,
  "a long text": (length) => `[{"verb":"say","text":"${times("x", length)}"}]`,
  "a long text of pairs": (length) => `[{"verb":"say","text":"${times("😀", length)}"}]`,
  "a long address": (length) => `[{"verb":"play","url":"${times("x", length)}"}]`,
};

/** Readers of what carriers and their callers send, and of what is sent through them. */
export const carrierWork: readonly LinearWork[] = [
  { name: "a SIP message", poisons: poisonMessages, run: (text) => parseMessage(Buffer.from(text)) },
  { name: "a SIP stream", poisons: poisonStreams, run: (text) => [stream(text, 8), stream(text, text.length)] },
  {
    name: "a SIP header",
    poisons: someTexts("blanks", "quotes", "backslashes in quotes", "brackets", "brackets in pairs", "commas", "semicolons", "colons"),
    run: (text) => [
      ...[text, `<sip:a@b>;${text}`, `"${text}" <sip:a@b>`].map(parseNameAddress),
      ...[parseVia(`SIP/2.0/UDP ${text}`), parseUri(`sip:${text}`), splitList(text)],
      ...[chooseChallenge([`Digest ${text}`]), readInfoDigit(text, Buffer.from(text))],
    ],
  },
  { name: "a SIP session's description", poisons: poisonDescriptions, run: (text) => readDescription(Buffer.from(text)) },
  { name: "SMPP PDUs", poisons: poisonPdus, run: async (text) => [await readPdus(text, 5), await readPdus(text, text.length)] },
  {
    name: "the text of a carrier's SMS",
    poisons: { ...someTexts("one long word", "letters beyond ASCII", "tabs and blanks"), escapes: (length) => times("\x1b", length) },
    run: (text) => codings.map((coding) => readText(latin(text), { ...coding, headerBytes: 6 })),
  },
  {
    name: "a carrier's receipt",
    poisons: {
      "ids in words": (length) => times("xid:", length),
      "ids of blanks": (length) => `id:${times(" ", length)}`,
      "a long id": (length) => `id:${times("1", length)}`,
      "a long state": (length) => `id:1 stat:${times("X", length)}`,
    },
    run: (text) => readReceipt(receipt(text), 0),
  },
  {
    name: "a carrier's id of a message",
    byEngine: true,
    poisons: poisonTexts,
    run: (text) => [spellingsOf(text), formOf(text, `0${text}`)],
  },
  { name: "a carrier's form", poisons: poisonForms, run: readCarrierForm },
  {
    name: "an audio file",
    poisons: {
      "empty parts": (length) => wav + times("abcd\0\0\0\0", length),
      "a part that is cut off": (length) => `${wav}abcd\xff\xff\xff\x7f${times("x", length)}`,
      samples: (length) => wav + mulaw + times("x", length),
    },
    run: (text) => tried(() => resample(readWav(latin(text)))),
  },
  { name: "the verbs of a call", poisons: poisonVerbs, run: (text) => readActions(JSON.parse(text)) },
  {
    name: "the text of an SMS",
    poisons: {
      ...someTexts("one long word", "letters beyond ASCII", "backslashes", "line ends", "marks out of order"),
      "typographic quotes": (length) => times("\u201c", length),
      pairs: (length) => times("😀", length),
      "halves of pairs": (length) => times("\ud800", length),
    },
    run: (text) => [splitText(normalizeText(text, { smart: true })), partsOf(text, 1), charactersBeyondGsm7(text)],
  },
  {
    name: "the keyword of an SMS",
    byEngine: true,
    poisons: poisonTexts,
    run: (text) => [readKeyword(text, { from: "+8613800138000" }), readKeyword(`STOP${text}`, { from: "+14155550100" })],
  },
  {
    name: "a telephone number",
    byEngine: true,
    poisons: { ...poisonTexts, "a link": (length) => `tel:1;phone-context=+${times("1", length)}x` },
    run: (text) => [
      ...[text, `+${text}`].flatMap((one) => [readTelephone(one, { strict: false }), completeNumber("2125552368", { near: one })]),
      ...[completeNumber(text, { near: "+14155550100" }), readSender(text)],
    ],
  },
];
