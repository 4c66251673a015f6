import { headBytes, longestPdu } from "./pdu.ts";

/** One PDU's bytes. `isCut`: it was longer than we read, and only its header is here. */
export interface Frame {
  bytes: Buffer;
  isCut: boolean;
}

/** A greater length isn't plausible: the stream is out of step, and nothing after it can be trusted. */
const longestSkipped = 1_048_576;

/** Splits a stream of bytes into PDUs. Throws if the stream is out of step; the connection must then be closed. */
export function createFrameReader(): { push(chunk: Buffer): Frame[] } {
  let waiting: Buffer[] = [];
  let held = 0;
  /** How many held bytes tell more: a header, and then the whole PDU that it announces. */
  let needed = headBytes;
  /** Bytes of a long PDU that are still to arrive and are skipped. */
  let skipping = 0;
  /** All held bytes; copied only if they arrived in several chunks. */
  const join = (): Buffer => {
    const all = waiting.length === 1 ? (waiting[0] as Buffer) : Buffer.concat(waiting);
    waiting = [all];
    return all;
  };
  const take = (count: number): Buffer => {
    const all = join();
    waiting = all.length > count ? [all.subarray(count)] : [];
    held -= count;
    return all.subarray(0, count);
  };
  const next = (): Frame | null => {
    if (held < needed) return null;
    const length = join().readUInt32BE(0);
    if (length < headBytes || length > longestSkipped) throw new Error(`a PDU of ${length} bytes was announced`);
    if (length > longestPdu) {
      const head = take(headBytes);
      skipping = length - headBytes;
      return { bytes: head, isCut: true };
    }
    needed = held < length ? length : headBytes;
    return held < length ? null : { bytes: take(length), isCut: false };
  };
  return {
    push(chunk) {
      const skipped = Math.min(skipping, chunk.length);
      skipping -= skipped;
      if (skipped < chunk.length) waiting.push(chunk.subarray(skipped));
      held += chunk.length - skipped;
      const frames: Frame[] = [];
      for (let frame = next(); frame !== null; frame = next()) {
        frames.push(frame);
        if (!frame.isCut) continue;
        const rest = Math.min(skipping, held);
        if (rest > 0) take(rest);
        skipping -= rest;
      }
      return frames;
    },
  };
}
