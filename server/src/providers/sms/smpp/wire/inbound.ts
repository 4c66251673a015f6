import type { InboundSms } from "#sms/index.ts";
import { spellAddress } from "./addresses.ts";
import type { DefaultAlphabet } from "./alphabets.ts";
import type { Pdu } from "./pdu.ts";
import { readText } from "./text.ts";

const headerBit = 0x40;
type Part = InboundSms["part"];

export type ReadInbound = Pick<InboundSms, "from" | "to" | "body" | "encoding" | "part">;

/** A message from a handset, or one part of a long one. */
export function readInbound(pdu: Pdu, alphabet: DefaultAlphabet): ReadInbound {
  const short = pdu.bytes("short_message") ?? Buffer.alloc(0);
  // message_payload replaces the short text, which is then empty.
  const bytes = short.length > 0 ? short : (pdu.bytes("message_payload") ?? short);
  const hasHeader = ((pdu.number("esm_class") ?? 0) & headerBit) !== 0;
  const headerBytes = hasHeader && bytes.length > 0 && bytes.readUInt8(0) < bytes.length ? bytes.readUInt8(0) + 1 : 0;
  const text = readText(bytes.subarray(headerBytes), { dataCoding: pdu.number("data_coding") ?? 0, alphabet, headerBytes });
  return {
    from: spellAddress({ ton: pdu.number("source_addr_ton") ?? 0, addr: pdu.text("source_addr") ?? "" }),
    to: spellAddress({ ton: pdu.number("dest_addr_ton") ?? 0, addr: pdu.text("destination_addr") ?? "" }),
    ...text,
    part: partOfHeader(bytes.subarray(0, headerBytes)) ?? partOfTlvs(pdu),
  };
}

/** Elements of a user data header: type, length and bytes. Those with a reference say which part this is. */
function partOfHeader(header: Buffer): Part {
  for (let at = 1; at + 2 <= header.length; at += 2 + header.readUInt8(at + 1)) {
    const length = header.readUInt8(at + 1);
    const value = header.subarray(at + 2, at + 2 + length);
    if (value.length < length) return null;
    if (header.readUInt8(at) === 0x00 && length === 3)
      return soundPart({ reference: value.readUInt8(0), total: value.readUInt8(1), index: value.readUInt8(2) });
    if (header.readUInt8(at) === 0x08 && length === 4)
      return soundPart({ reference: value.readUInt16BE(0), total: value.readUInt8(2), index: value.readUInt8(3) });
  }
  return null;
}

function partOfTlvs(pdu: Pdu): Part {
  const [reference, total, index] = ["sar_msg_ref_num", "sar_total_segments", "sar_segment_seqnum"].map((name) => pdu.number(name));
  return reference === undefined || total === undefined || index === undefined ? null : soundPart({ reference, total, index });
}

/** A part with a contradictory header is joined to nothing and becomes its own message, and so does the only part of one. */
function soundPart(part: NonNullable<Part>): Part {
  return part.total > 1 && part.index >= 1 && part.index <= part.total ? part : null;
}
