export interface SenderFacts {
  ssrc: number;
  /** Milliseconds since 1970, for the peer's own calculations. */
  timeMs: number;
  timestamp: number;
  packets: number;
  bytes: number;
  cname: string;
}

/** Seconds between 1900, when NTP time starts, and 1970. */
const ntpOffset = 2_208_988_800;

/** Whether a packet is RTCP of any kind. Its content isn't checked. */
export function isRtcp(bytes: Buffer): boolean {
  const type = bytes[1] ?? 0;
  return bytes.length >= 8 && (bytes[0] ?? 0) >> 6 === 2 && type >= 200 && type <= 207;
}

/** Builds a sender report with the SDES that RFC 3550 requires; `isLast` adds the BYE. */
export function writeReport({ ssrc, timeMs, timestamp, packets, bytes, cname }: SenderFacts, isLast: boolean): Buffer {
  const report = Buffer.alloc(28);
  report[0] = 0x80;
  report[1] = 200;
  report.writeUInt16BE(6, 2);
  report.writeUInt32BE(ssrc, 4);
  report.writeUInt32BE((Math.floor(timeMs / 1_000) + ntpOffset) >>> 0, 8);
  report.writeUInt32BE(Math.floor(((timeMs % 1_000) / 1_000) * 2 ** 32) >>> 0, 12);
  report.writeUInt32BE(timestamp, 16);
  report.writeUInt32BE(packets >>> 0, 20);
  report.writeUInt32BE(bytes >>> 0, 24);
  return Buffer.concat([report, description(ssrc, cname), ...(isLast ? [farewell(ssrc)] : [])]);
}

function description(ssrc: number, cname: string): Buffer {
  const text = Buffer.from(cname).subarray(0, 255);
  // At least one zero byte ends the items, padded to a multiple of four.
  const size = Math.ceil((4 + 4 + 2 + text.length + 1) / 4) * 4;
  const bytes = Buffer.alloc(size);
  bytes[0] = 0x81;
  bytes[1] = 202;
  bytes.writeUInt16BE(size / 4 - 1, 2);
  bytes.writeUInt32BE(ssrc, 4);
  bytes[8] = 1;
  bytes[9] = text.length;
  text.copy(bytes, 10);
  return bytes;
}

function farewell(ssrc: number): Buffer {
  const bytes = Buffer.from([0x81, 203, 0, 1, 0, 0, 0, 0]);
  bytes.writeUInt32BE(ssrc, 4);
  return bytes;
}
