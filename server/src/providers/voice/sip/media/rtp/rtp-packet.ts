export interface RtpPacket {
  type: number;
  marker: boolean;
  sequence: number;
  timestamp: number;
  ssrc: number;
  payload: Buffer;
  /** Where the payload starts in the packet. */
  headerBytes: number;
}

export const rtpHeaderBytes = 12;

/** null: not RTP version 2. The payload isn't checked. */
export function readRtp(bytes: Buffer): RtpPacket | null {
  if (bytes.length < rtpHeaderBytes || (bytes[0] ?? 0) >> 6 !== 2) return null;
  const first = bytes[0] ?? 0;
  let start = rtpHeaderBytes + (first & 0x0f) * 4;
  if (first & 0x10) {
    if (bytes.length < start + 4) return null;
    start += 4 + bytes.readUInt16BE(start + 2) * 4;
  }
  const padding = first & 0x20 ? (bytes.at(-1) ?? 0) : 0;
  const end = bytes.length - padding;
  if (start > end || (first & 0x20 && padding === 0)) return null;
  const second = bytes[1] ?? 0;
  return {
    type: second & 0x7f,
    marker: (second & 0x80) !== 0,
    sequence: bytes.readUInt16BE(2),
    timestamp: bytes.readUInt32BE(4),
    ssrc: bytes.readUInt32BE(8),
    payload: bytes.subarray(start, end),
    headerBytes: start,
  };
}

export interface RtpHeader {
  type: number;
  marker: boolean;
  sequence: number;
  timestamp: number;
  ssrc: number;
}

/** A packet with room for its payload, which starts at `rtpHeaderBytes`. */
export function newRtp({ type, marker, sequence, timestamp, ssrc }: RtpHeader, payloadBytes: number): Buffer {
  const bytes = Buffer.allocUnsafe(rtpHeaderBytes + payloadBytes);
  bytes[0] = 0x80;
  bytes[1] = type | (marker ? 0x80 : 0);
  bytes.writeUInt16BE(sequence, 2);
  bytes.writeUInt32BE(timestamp, 4);
  bytes.writeUInt32BE(ssrc, 8);
  return bytes;
}

/** How far `later` is after `earlier` on a 32-bit counter that wraps to 0; negative if before. */
export function timestampDistance(later: number, earlier: number): number {
  return (later - earlier) | 0;
}

/** The same for 16-bit sequence numbers. */
export function sequenceDistance(later: number, earlier: number): number {
  return ((later - earlier) << 16) >> 16;
}
