import type { SmsPart } from "../transport.ts";
import { septetsOf } from "./gsm7.ts";
import { splitText } from "./split-text.ts";

/**
 * The payloads of a message. With several parts, each has the header of a concatenated message with an 8-bit reference (3GPP TS 23.040
 * §9.2.3.24.1), which is the same in all of them.
 */
export function partsOf(text: string, reference: number): SmsPart[] {
  const { encoding, segments } = splitText(text);
  const hasHeader = segments.length > 1;
  return segments.map((segment, index) => {
    const bytes = encoding === "GSM-7" ? septetBytes(segment) : ucs2Bytes(segment);
    const header = Buffer.from([0x05, 0x00, 0x03, reference & 0xff, segments.length, index + 1]);
    return { encoding, hasHeader, bytes: hasHeader ? Buffer.concat([header, bytes]) : bytes };
  });
}

function septetBytes(text: string): Buffer {
  return Buffer.from([...text].flatMap((character) => [...(septetsOf(character) ?? [])]));
}

/** UCS-2 is sent as big-endian. */
function ucs2Bytes(text: string): Buffer {
  return Buffer.from(text, "utf16le").swap16();
}
