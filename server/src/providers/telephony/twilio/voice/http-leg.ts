import { join } from "node:path";
import {
  type After,
  type CallHandlers,
  type CallLeg,
  type CarrierLine,
  type Keys,
  type OutgoingCall,
  type RecordedFile,
  wavOfPcm,
} from "#calls/index.ts";
import type { Addresses } from "./addresses.ts";
import { awaitRecording, deleteSpeech, fetchSpeech, findWhole } from "./fetch-recordings.ts";
import type { VoiceAccount } from "./settings.ts";
import { gatherVerb, keysVerb, playVerb, recordVerb, respond } from "./twiml.ts";
import { sidPattern, type VoiceClient } from "./voice-client.ts";

type Facts = Readonly<Record<string, string>>;

export interface LegParts {
  call: OutgoingCall;
  handlers: Pick<CallHandlers, "digit">;
  line: CarrierLine;
  addresses: Addresses;
  client: VoiceClient;
  account: VoiceAccount;
  /** The account as calls name it. */
  provider: string;
  /** The folder for notes about recordings at the carrier. */
  recordings: string;
  /** The carrier's id of the call, or null until it's known. */
  sid(): string | null;
  now(): Date;
  after: After;
  hangUp(): void;
  answeredBy: "human" | "machine" | "unknown";
}

interface Verbs {
  make(addresses: { sound: string; next: string }): string;
  sound: Buffer | null;
}

const keysMax = 32;

/**
 * An answered call's media at a carrier that executes verbs itself: each command is a document, which the carrier fetches after it has
 * finished the previous one. A request for the next document means that the previous one is done.
 */
export class HttpLeg implements CallLeg {
  readonly answeredBy: "human" | "machine" | "unknown";
  private readonly parts: LegParts;
  private turn: Promise<unknown> = Promise.resolve();
  private shown = 0;
  /** Callbacks that wait for the carrier to request a document, by its number. */
  private readonly waiting = new Map<number, (facts: Facts | null) => void>();
  private isOver = false;
  /** While the keys of a gather are passed on: callbacks that wait for another key, which won't arrive. */
  private listeners: ((how: "waited") => void)[] | null = null;
  /** What verbs recorded, and what of it was downloaded. */
  private readonly announced = new Set<string>();
  private readonly fetched = new Set<string>();

  constructor(parts: LegParts) {
    this.parts = parts;
    this.answeredBy = parts.answeredBy;
  }

  /** The carrier requests a document: it has finished the ones before. */
  take(number: number, facts: Facts): void {
    this.waiting.get(number)?.(facts);
    this.waiting.delete(number);
  }

  ended(): void {
    this.isOver = true;
    for (const resolve of this.waiting.values()) resolve(null);
    this.waiting.clear();
  }

  /** Has the carrier do something after its current action. Null: the call ended in the meantime, or the command was aborted. */
  private command(verbs: Verbs, signal: AbortSignal): Promise<Facts | null> {
    const done = this.turn.then(() => (this.isOver || signal.aborted ? null : this.carryOut(verbs)));
    this.turn = done.catch(() => undefined);
    return done;
  }

  private async carryOut({ make, sound }: Verbs): Promise<Facts | null> {
    const { addresses, line } = this.parts;
    const number = this.shown + 1;
    this.shown = number;
    const next = addresses.next(number + 1);
    const text = respond(make({ sound: addresses.sound(number), next }), next);
    const done = new Promise<Facts | null>((resolve) => this.waiting.set(number + 1, resolve));
    await line.show({ number, text, sound });
    if (this.isOver) this.ended();
    return done;
  }

  async play(pcm: Buffer | AsyncIterable<Buffer>, signal: AbortSignal): Promise<"played" | "stopped"> {
    const whole = await allOf(pcm);
    if (whole.length === 0) return "played";
    const facts = await this.command({ make: ({ sound }) => playVerb(sound), sound: wavOf(whole) }, signal);
    return facts === null || signal.aborted ? "stopped" : "played";
  }

  async sendDigits(digits: string, signal: AbortSignal): Promise<void> {
    await this.command({ make: () => keysVerb(digits), sound: null }, signal);
  }

  /** The carrier sends no audio during the call. */
  onAudio(): () => void {
    return () => {};
  }

  async collect(prompt: Buffer | null, keys: Keys, signal: AbortSignal): Promise<"waited" | "stopped"> {
    const { listeners } = this;
    // More keys of a gather that the carrier has ended.
    if (listeners !== null && keys.had > 0) return new Promise((resolve) => void listeners.push(resolve));
    const sound = prompt === null || prompt.length === 0 ? null : wavOf(prompt);
    const make: Verbs["make"] = (at) => gatherVerb({ keys, sound: sound === null ? null : at.sound, action: at.next });
    const facts = await this.command({ make, sound }, signal);
    if (facts === null || signal.aborted) return "stopped";
    this.press((facts["Digits"] ?? "").slice(0, keysMax));
    return "waited";
  }

  private press(digits: string): void {
    const listeners: ((how: "waited") => void)[] = [];
    this.listeners = listeners;
    for (const digit of digits) this.parts.handlers.digit(digit, this.parts.now());
    this.listeners = null;
    for (const resolve of listeners) resolve("waited");
  }

  async record({ seconds, finish }: { seconds: number; finish: string }, signal: AbortSignal): Promise<Buffer> {
    const make: Verbs["make"] = ({ next }) => recordVerb({ seconds, finish, action: next });
    const shownBefore = this.shown;
    const facts = await this.command({ make, sound: null }, signal);
    if (this.shown === shownBefore) return Buffer.alloc(0);
    const sid = facts === null ? await this.recordedLast() : (facts["RecordingSid"] ?? "");
    if (!sidPattern.test(sid)) return Buffer.alloc(0);
    this.announced.add(sid);
    const recording = await fetchSpeech(this.parts, sid);
    if (recording.length > 0) this.fetched.add(sid);
    return recording;
  }

  /** The recording that was in progress when the call ended. */
  private async recordedLast(): Promise<string> {
    const callSid = this.parts.sid();
    if (callSid === null) return "";
    const found = await awaitRecording(this.parts, {
      callSid,
      isWanted: ({ sid, isVerb }) => isVerb && !this.announced.has(sid),
    });
    return found?.sid ?? "";
  }

  async recording(): Promise<RecordedFile | null> {
    const { call, sid, provider, recordings, after } = this.parts;
    const callSid = sid();
    if (call.record === false || callSid === null) return null;
    const copy = { provider, call_sid: callSid, channels: call.record === "dual" ? (2 as const) : (1 as const) };
    const find = () => findWhole(this.parts, { copy, after, isPatient: true });
    return { wav: join(recordings, `${call.call_id}.wav`), copy, find };
  }

  async deleteRecordings(): Promise<void> {
    if (!this.parts.account.deletesRecordings) return;
    await deleteSpeech(this.parts, this.fetched);
  }

  hangUp(): void {
    this.parts.hangUp();
  }
}

const wavs = new WeakMap<Buffer, WeakRef<Buffer>>();

/** Calls that play one sound also share its WAV, for as long as one of them plays it. */
function wavOf(pcm: Buffer): Buffer {
  const known = wavs.get(pcm)?.deref();
  if (known !== undefined) return known;
  const wav = wavOfPcm(pcm);
  wavs.set(pcm, new WeakRef(wav));
  return wav;
}

async function allOf(pcm: Buffer | AsyncIterable<Buffer>): Promise<Buffer> {
  if (Buffer.isBuffer(pcm)) return pcm;
  const parts: Buffer[] = [];
  for await (const part of pcm) parts.push(part);
  return Buffer.concat(parts);
}
