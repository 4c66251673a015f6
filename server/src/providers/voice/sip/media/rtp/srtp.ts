import { createCipheriv, createHmac, timingSafeEqual } from "node:crypto";
import { readRtp, sequenceDistance } from "./rtp-packet.ts";

const tagBytes = 10;
const replayWindow = 64;

interface Keys {
  cipher: Buffer;
  auth: Buffer;
  salt: Buffer;
}

/** Session keys of RFC 3711 §4.3 with a key derivation rate of 0. Labels 0–2 are those of RTP, 3–5 of RTCP. */
export function deriveKeys(master: Buffer, firstLabel: 0 | 3): Keys {
  const derive = (label: number, bytes: number) => {
    const iv = Buffer.alloc(16);
    master.copy(iv, 0, 16, 30);
    iv[7] = (iv[7] ?? 0) ^ label;
    return counterMode(master.subarray(0, 16), iv, Buffer.alloc(bytes));
  };
  return { cipher: derive(firstLabel, 16), auth: derive(firstLabel + 1, 20), salt: derive(firstLabel + 2, 14) };
}

function counterMode(key: Buffer, iv: Buffer, text: Buffer): Buffer {
  return createCipheriv("aes-128-ctr", key, iv).update(text);
}

/** The counter's initial value: salt, SSRC and packet index (RFC 3711 §4.1.1). */
function startOf(salt: Buffer, ssrc: number, index: number): Buffer {
  const iv = Buffer.alloc(16);
  salt.copy(iv);
  const mixed = Buffer.alloc(16);
  mixed.writeUInt32BE(ssrc, 4);
  mixed.writeUIntBE(index, 8, 6);
  for (let at = 0; at < 16; at += 1) iv[at] = (iv[at] ?? 0) ^ (mixed[at] ?? 0);
  return iv;
}

/** Encrypts one of our streams: AES_CM_128_HMAC_SHA1_80. */
export class SrtpSender {
  private readonly rtp: Keys;
  private readonly rtcp: Keys;
  private rollover = 0;
  private last: number | null = null;
  private rtcpIndex = 0;

  constructor(master: Buffer) {
    this.rtp = deriveKeys(master, 0);
    this.rtcp = deriveKeys(master, 3);
  }

  /** Packets must arrive in the order of their sequence numbers. */
  protect(packet: Buffer): Buffer {
    const read = readRtp(packet);
    if (read === null) return packet;
    if (this.last !== null && read.sequence < this.last) this.rollover += 1;
    this.last = read.sequence;
    const iv = startOf(this.rtp.salt, read.ssrc, this.rollover * 65_536 + read.sequence);
    const sealed = Buffer.concat([
      packet.subarray(0, read.headerBytes),
      counterMode(this.rtp.cipher, iv, packet.subarray(read.headerBytes)),
    ]);
    return Buffer.concat([sealed, rtpTag(this.rtp.auth, sealed, this.rollover)]);
  }

  protectRtcp(packet: Buffer): Buffer {
    this.rtcpIndex = (this.rtcpIndex + 1) & 0x7fffffff;
    const iv = startOf(this.rtcp.salt, packet.readUInt32BE(4), this.rtcpIndex);
    const trailer = Buffer.alloc(4);
    trailer.writeUInt32BE((0x80000000 | this.rtcpIndex) >>> 0);
    const sealed = Buffer.concat([packet.subarray(0, 8), counterMode(this.rtcp.cipher, iv, packet.subarray(8)), trailer]);
    return Buffer.concat([sealed, createHmac("sha1", this.rtcp.auth).update(sealed).digest().subarray(0, tagBytes)]);
  }
}

function rtpTag(key: Buffer, sealed: Buffer, rollover: number): Buffer {
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(rollover >>> 0);
  return createHmac("sha1", key).update(sealed).update(counter).digest().subarray(0, tagBytes);
}

/** Decrypts the peer's stream. Returns null for forged, damaged and repeated packets. */
export class SrtpReceiver {
  private readonly keys: Keys;
  private ssrc: number | null = null;
  private highest = -1;
  private readonly seen = new Set<number>();

  constructor(master: Buffer) {
    this.keys = deriveKeys(master, 0);
  }

  open(packet: Buffer): Buffer | null {
    if (packet.length < 12 + tagBytes) return null;
    const sealed = packet.subarray(0, -tagBytes);
    const read = readRtp(sealed);
    if (read === null) return null;
    const isNew = this.ssrc !== read.ssrc;
    const index = isNew ? read.sequence : this.indexOf(read.sequence);
    if (index < 0 || (!isNew && (this.seen.has(index) || index <= this.highest - replayWindow))) return null;
    const rollover = Math.floor(index / 65_536);
    if (!timingSafeEqual(rtpTag(this.keys.auth, sealed, rollover), packet.subarray(-tagBytes))) return null;
    if (isNew) this.begin(read.ssrc);
    this.remember(index);
    const iv = startOf(this.keys.salt, read.ssrc, index);
    return Buffer.concat([sealed.subarray(0, read.headerBytes), counterMode(this.keys.cipher, iv, sealed.subarray(read.headerBytes))]);
  }

  private begin(ssrc: number): void {
    this.ssrc = ssrc;
    this.highest = -1;
    this.seen.clear();
  }

  /** The index whose lower 16 bits are `sequence` and that is nearest to the highest so far (RFC 3711 §3.3.1). */
  private indexOf(sequence: number): number {
    return this.highest + sequenceDistance(sequence, this.highest & 0xffff);
  }

  private remember(index: number): void {
    this.highest = Math.max(this.highest, index);
    this.seen.add(index);
    for (const old of this.seen) {
      if (old > this.highest - replayWindow || this.seen.size <= replayWindow) break;
      this.seen.delete(old);
    }
  }
}
