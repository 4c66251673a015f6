import type { Place } from "../../net/surroundings.ts";
import { isPort } from "../../wire/address.ts";
import type { Codec } from "../../wire/session-description.ts";
import { decodeG711 } from "../codec/g711.ts";
import { DigitReader } from "../dtmf/digit-events.ts";
import { PlayoutBuffer } from "../rtp/playout-buffer.ts";
import { readRtp } from "../rtp/rtp-packet.ts";
import { SrtpReceiver } from "../rtp/srtp.ts";

export interface ReceiveFormat {
  /** The codec of each payload type in our description. */
  codecs: ReadonlyMap<number, Codec>;
  events: number | null;
  key: Buffer | null;
}

const same = (one: Place, other: Place) => one.address === other.address && one.port === other.port;

/** Receives the peer's stream: checks its source, decrypts, reorders, and reads its digits. */
export class RtpReceiver {
  private format: ReceiveFormat;
  private announced: Place;
  private source: Place | null = null;
  private srtp: SrtpReceiver | null;
  private ssrc: number | null = null;
  private digits = new DigitReader();
  readonly playout = new PlayoutBuffer();

  constructor(format: ReceiveFormat, announced: Place) {
    this.format = format;
    this.announced = announced;
    this.srtp = format.key === null ? null : new SrtpReceiver(format.key);
  }

  /** The peer announced another address or format. */
  change(format: ReceiveFormat, announced: Place): void {
    if (!same(announced, this.announced)) this.source = null;
    if (format.key !== null && !(this.format.key?.equals(format.key) ?? false)) this.srtp = new SrtpReceiver(format.key);
    if (format.key === null) this.srtp = null;
    this.format = format;
    this.announced = announced;
  }

  /** Where our packets go: where the peer's packets come from, which behind NAT differs from what it announced. */
  get remote(): Place {
    return this.source ?? this.announced;
  }

  /** Takes a packet. "ignored": it's from a source outside this call, or isn't valid RTP. */
  take(bytes: Buffer, from: Place): { digit: string | null } | "ignored" {
    // Only a forged packet has port 0, and nothing could be sent back to it.
    if (!isPort(from.port)) return "ignored";
    // Keeps the first source; only the announced one may replace it, so that a stranger can't take over.
    if (this.source !== null && !same(from, this.source) && !same(from, this.announced)) return "ignored";
    const opened = this.srtp === null ? bytes : this.srtp.open(bytes);
    const packet = opened === null ? null : readRtp(opened);
    if (packet === null) return "ignored";
    const codec = this.format.codecs.get(packet.type);
    const isEvent = packet.type === this.format.events;
    // 13 is comfort noise: a sign of life.
    if (codec === undefined && !isEvent && packet.type !== 13) return "ignored";
    this.source = { address: from.address, port: from.port };
    if (packet.ssrc !== this.ssrc) {
      this.ssrc = packet.ssrc;
      this.digits = new DigitReader();
    }
    if (isEvent) return { digit: this.digits.take(packet) };
    if (codec !== undefined) this.playout.put(packet.timestamp, decodeG711(codec, packet.payload));
    return { digit: null };
  }
}
