import smpp from "smpp";
import { storable } from "#platform/index.ts";
import type { DefaultAlphabet } from "./alphabets.ts";

export interface ReadText {
  body: string;
  encoding: "GSM-7" | "UCS-2" | "binary";
}

const escapeSeptet = 0x1b;
const { chars, extChars, escChars } = smpp.gsmCoder.GSM;
const basic = [...chars];
/** Two characters share one code in the package's table; the later one is the standard's. */
const extension = new Map([...escChars].map((char, index) => [basic.indexOf(char), [...extChars][index] ?? " "]));

/** Alphabets that Node supports by the names of their standards. */
const named: ReadonlyMap<number, string> = new Map([
  [0x06, "iso-8859-5"],
  [0x07, "iso-8859-8"],
  [0x0a, "iso-2022-jp"],
  [0x0e, "euc-kr"],
]);

/** The encoding of a text; several data codings map to one of these. */
type Coding = DefaultAlphabet | "ucs2" | "binary" | { label: string };

/**
 * Decodes the text of a message. `headerBytes`: bytes before it, because a packed text continues in the middle of a byte. Bytes that aren't
 * text become hexadecimal digits.
 */
export function readText(bytes: Buffer, given: { dataCoding: number; alphabet: DefaultAlphabet; headerBytes: number }): ReadText {
  const coding = codingOf(given.dataCoding, given.alphabet);
  if (coding === "binary") return { body: bytes.toString("hex"), encoding: "binary" };
  if (coding === "ucs2") return { body: storable(utf16.decode(bytes.subarray(0, bytes.length - (bytes.length % 2)))), encoding: "UCS-2" };
  if (coding === "gsm7") return { body: readSeptets(bytes), encoding: "GSM-7" };
  if (coding === "gsm7-packed") return { body: readSeptets(unpackSeptets(bytes, given.headerBytes)), encoding: "GSM-7" };
  if (coding === "latin1") return { body: storable(bytes.toString("latin1")), encoding: "GSM-7" };
  if (coding === "ascii") return { body: storable(bytes.toString("latin1").replace(/[\x80-\xff]/g, "\ufffd")), encoding: "GSM-7" };
  return { body: storable(new TextDecoder(coding.label).decode(bytes)), encoding: "UCS-2" };
}

const utf16 = new TextDecoder("utf-16be");

/** Data codings of SMPP 3.4, and the groups of GSM 03.38 that it adopts: message classes and message-waiting indications. */
function codingOf(dataCoding: number, alphabet: DefaultAlphabet): Coding {
  if (dataCoding === 0x00) return alphabet;
  if (dataCoding === 0x01) return "ascii";
  if (dataCoding === 0x03) return "latin1";
  if (dataCoding === 0x08) return "ucs2";
  const label = named.get(dataCoding);
  if (label !== undefined) return { label };
  if (dataCoding < 0x10) return "binary";
  if (dataCoding < 0x40) return (dataCoding & 0x20) !== 0 ? "binary" : alphabetBits(dataCoding >> 2, alphabet);
  if (dataCoding >= 0xf0) return alphabetBits((dataCoding >> 2) & 1, alphabet);
  if (dataCoding >= 0xe0) return "ucs2";
  return dataCoding >= 0xc0 ? alphabet : "binary";
}

function alphabetBits(bits: number, alphabet: DefaultAlphabet): Coding {
  return ([alphabet, "binary", "ucs2", "binary"] as const)[bits & 3] ?? "binary";
}

/** One septet per byte. A septet in no table becomes the replacement character. */
function readSeptets(bytes: Buffer): string {
  const found: string[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const septet = bytes[at] as number;
    if (septet !== escapeSeptet) {
      found.push(basic[septet] ?? "\ufffd");
      continue;
    }
    at += 1;
    // An escaped code without a meaning becomes the character itself; an escape at the end becomes a space.
    if (at < bytes.length) found.push(extension.get(bytes[at] as number) ?? basic[bytes[at] as number] ?? "\ufffd");
    else found.push(" ");
  }
  return found.join("");
}

/** Eight septets in seven bytes. After a header the text starts at the next septet boundary. */
function unpackSeptets(bytes: Buffer, headerBytes: number): Buffer {
  const skippedBits = Math.ceil((headerBytes * 8) / 7) * 7 - headerBytes * 8;
  const count = Math.floor((bytes.length * 8 - skippedBits) / 7);
  const septets = Buffer.alloc(Math.max(0, count));
  for (let index = 0; index < count; index += 1) {
    const bit = skippedBits + index * 7;
    const low = bytes[bit >> 3] as number;
    const high = bytes[(bit >> 3) + 1] ?? 0;
    septets[index] = ((low | (high << 8)) >> (bit & 7)) & 0x7f;
  }
  // Seven zero bits at the end of a full byte are padding, which would read as @.
  const isFilled = count > 0 && (bytes.length * 8 - skippedBits) % 7 === 0 && septets[count - 1] === 0;
  return isFilled ? septets.subarray(0, count - 1) : septets;
}
