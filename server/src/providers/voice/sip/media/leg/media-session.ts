import type { Place, Surroundings } from "../../net/surroundings.ts";
import { isPort } from "../../wire/address.ts";
import {
  type AudioOffer,
  answeringDirection,
  type Codec,
  type Direction,
  type OwnAudio,
  writeDescription,
} from "../../wire/session-description.ts";
import { frameMs, frameSamples } from "../codec/g711.ts";
import { type DigitFrame, digitFrames, toneFrames } from "../dtmf/digit-events.ts";
import { DigitMerger, type DigitSource } from "../dtmf/digit-merger.ts";
import { ToneDetector, toneFrame } from "../dtmf/tones.ts";
import { WavRecorder } from "../record/wav-recorder.ts";
import { isRtcp } from "../rtp/rtcp.ts";
import type { Ticker } from "../rtp/ticker.ts";
import type { Playback } from "./playback.ts";
import type { PortPair } from "./rtp-ports.ts";
import { RtpReceiver } from "./rtp-receiver.ts";
import { RtpSender, type SendFormat } from "./rtp-sender.ts";

const inactivityMs = 30_000;
const reportMs = 5_000;
const eventsType = 101;
const codecs: OwnAudio["codecs"] = [
  { type: 0, codec: "PCMU" },
  { type: 8, codec: "PCMA" },
];
const quiet = new Int16Array(frameSamples);

export interface MediaOptions {
  around: Surroundings;
  ticker: Ticker;
  ports: PortPair;
  /** The address that peers send to. */
  address: string;
  srtp: boolean;
}

export interface MediaEvents {
  digit(digit: string): void;
  /** The audio has ended: nothing arrived for so long that the peer must be gone, or there was an error. */
  lost(reason: string): void;
}

interface Dialling {
  frames: Iterator<DigitFrame>;
  done(): void;
  toneSamples: number;
}

/** The audio of one call. */
export class MediaSession {
  private readonly options: MediaOptions;
  private readonly events: MediaEvents;
  private readonly sender: RtpSender;
  private readonly digitMerger: DigitMerger;
  private readonly tones = new ToneDetector();
  private readonly own: OwnAudio;
  private readonly member = () => this.tick();
  private receiver: RtpReceiver | null = null;
  private format: SendFormat = { codec: "PCMU", type: 0, events: null };
  private direction: Direction = "sendrecv";
  private rtcpPort: number | null = null;
  private recorder: WavRecorder | null = null;
  private playback: Playback | null = null;
  private dialling: Dialling | null = null;
  private receivedAt = 0;
  private reportAt = 0;
  private isClosed = false;
  private listener: ((frame: Int16Array) => void) | null = null;

  constructor(options: MediaOptions, events: MediaEvents) {
    const { around, ports, srtp } = options;
    this.options = options;
    this.events = events;
    this.digitMerger = new DigitMerger(around);
    const key = srtp ? { tag: 1, key: around.random(30) } : null;
    this.sender = new RtpSender(around, ports.rtp, key?.key ?? null);
    const session = { id: String(around.random(4).readUInt32BE()), version: 1 };
    this.own = { address: options.address, port: ports.rtp.port, codecs, events: eventsType, direction: "sendrecv", srtp: key, session };
    ports.rtp.onMessage((bytes, from) => this.receive(bytes, from));
    ports.rtcp.onMessage((bytes, from) => this.receiveReport(bytes, from));
  }

  /** Our current description. */
  describe(): Buffer {
    return writeDescription(this.own);
  }

  /**
   * Offers everything we support during the call, as a peer requests by an INVITE without a description, for example to end a hold. Its
   * answer goes to `accept`. An earlier payload type of keys stays, because types must not change their meaning during a call.
   */
  offer(): Buffer {
    Object.assign(this.own, { codecs, events: this.own.events ?? eventsType, direction: "sendrecv" });
    this.own.session.version += 1;
    return this.describe();
  }

  /** Starts with the peer's answer to our offer, or continues with a new one. false: there is no common codec. */
  accept(answer: AudioOffer): boolean {
    const codec = answer.codecs[0];
    if (codec === undefined || (this.own.srtp === null) !== (answer.srtp === null)) return false;
    this.format = { codec: codec.codec, type: codec.type, events: answer.events };
    this.direction = answeringDirection(answer.direction);
    this.rtcpPort = answer.rtcpPort;
    const types = new Map<number, Codec>(this.own.codecs.map((one) => [one.type, one.codec]));
    const received = { codecs: types, events: this.own.events, key: answer.srtp?.key ?? null };
    if (this.receiver === null) {
      this.receiver = new RtpReceiver(received, answer);
      this.options.ticker.add(this.member, (error) => this.fail(error));
    } else this.receiver.change(received, answer);
    this.receivedAt = this.options.around.now();
    return true;
  }

  /** Answers an offer of the peer during the call; null: there is no common format. */
  answer(offer: AudioOffer): Buffer | null {
    const { codecs: ownCodecs, events, direction } = this.own;
    Object.assign(this.own, { codecs: offer.codecs, events: offer.events, direction: answeringDirection(offer.direction) });
    if (!this.accept(offer)) {
      Object.assign(this.own, { codecs: ownCodecs, events, direction });
      return null;
    }
    this.own.session.version += 1;
    const srtp = this.own.srtp === null || offer.srtp === null ? null : { ...this.own.srtp, tag: offer.srtp.tag };
    return writeDescription({ ...this.own, srtp, answers: offer.media });
  }

  record(path: string, channels: 1 | 2): WavRecorder {
    this.recorder = new WavRecorder(path, channels);
    return this.recorder;
  }

  /** Starts speaking; replaces what was being said. */
  play(playback: Playback): void {
    this.playback?.stop();
    this.playback = playback;
    if (this.isClosed) playback.stop();
  }

  dial(digits: string, done: () => void): () => void {
    this.dialling?.done();
    if (this.isClosed) {
      done();
      return () => {};
    }
    const dialling: Dialling = { frames: this.format.events === null ? toneFrames(digits) : digitFrames(digits), done, toneSamples: 0 };
    this.dialling = dialling;
    return () => {
      if (this.dialling === dialling) this.endDialling();
    };
  }

  onFrames(listener: ((frame: Int16Array) => void) | null): void {
    this.listener = listener;
  }

  /** A digit that arrived outside RTP. */
  press(digit: string, source: DigitSource): void {
    if (this.digitMerger.take(digit, source)) this.events.digit(digit);
  }

  private receive(bytes: Buffer, from: Place): void {
    const taken = this.receiver?.take(bytes, from) ?? "ignored";
    if (taken === "ignored") return;
    this.receivedAt = this.options.around.now();
    if (taken.digit !== null) this.press(taken.digit, "event");
  }

  /** The peer's RTCP is only a sign of life: someone who is silent or has put us on hold may send nothing else. */
  private receiveReport(bytes: Buffer, from: Place): void {
    if (from.address === this.receiver?.remote.address && isRtcp(bytes)) this.receivedAt = this.options.around.now();
  }

  private get maySend(): boolean {
    return this.direction === "sendrecv" || this.direction === "sendonly";
  }

  private tick(): void {
    if (this.receiver === null || this.isClosed) return;
    const ours = this.maySend ? this.speak(this.receiver.remote) : null;
    this.sender.advance();
    const theirs = this.receiver.playout.take();
    this.recorder?.add(ours ?? quiet, theirs ?? quiet);
    if (theirs !== null) this.listen(theirs);
    this.watch(this.receiver.remote);
  }

  /** Sends 20 ms and returns the audio in it. */
  private speak(to: Place): Int16Array | null {
    if (this.dialling !== null) {
      const next = this.dialling.frames.next();
      if (next.done !== true) return this.speakDigit(next.value, to);
      this.endDialling();
    }
    const frame = this.playback?.take() ?? null;
    this.sender.sound(frame, this.format, to);
    return frame;
  }

  private speakDigit(frame: DigitFrame, to: Place): Int16Array | null {
    if (frame.kind === "event") this.sender.event(frame, this.format, to);
    else if (frame.kind === "end") {
      for (let count = 0; count < frame.repeats; count += 1)
        this.sender.event({ ...frame, marker: false, isStart: false }, this.format, to);
    } else if (frame.kind === "tone" && this.dialling !== null) {
      const tone = toneFrame(frame.digit, this.dialling.toneSamples);
      this.dialling.toneSamples += frameSamples;
      this.sender.sound(tone, this.format, to);
      return tone;
    } else this.sender.sound(null, this.format, to);
    return null;
  }

  private endDialling(): void {
    const dialling = this.dialling;
    this.dialling = null;
    dialling?.done();
  }

  private listen(frame: Int16Array): void {
    this.listener?.(frame);
    for (const digit of this.tones.take(frame)) this.press(digit, "tone");
  }

  private watch(to: Place): void {
    const now = this.options.around.now();
    if (now - this.reportAt >= reportMs) {
      this.reportAt = now;
      this.sendReport(to, false);
    }
    // Nothing has to arrive during a hold: a peer that only sends may play music, and often plays none.
    if (this.direction !== "sendrecv") this.receivedAt = now;
    else if (now - this.receivedAt >= inactivityMs) {
      this.receivedAt = now;
      this.events.lost("no audio from the callee's side for 30 seconds");
    }
  }

  /** Ends this call only. The error is reported as that of any timer is. */
  private fail(error: unknown): never {
    this.events.lost("an error in the call's audio");
    throw error;
  }

  private sendReport(to: Place, isLast: boolean): void {
    const port = this.rtcpPort ?? to.port + 1;
    // There is no port after 65535.
    if (isPort(port)) this.options.ports.rtcp.send(this.sender.report(this.options.around.now(), isLast), { address: to.address, port });
  }

  /** Ends it at once; the recorder completes the recording. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.options.ticker.remove(this.member);
    if (this.receiver !== null) this.sendReport(this.receiver.remote, true);
    this.playback?.stop();
    this.endDialling();
    // Closed later: the last report is still being sent.
    const { around, ports } = this.options;
    around.after(frameMs, () => {
      ports.rtp.close();
      ports.rtcp.close();
    });
  }
}
