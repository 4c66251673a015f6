import type { Ctx } from "#platform/index.ts";
import { encodeMulaw } from "../audio/g711.ts";
import { sampleRate, wavOf } from "../audio/write-wav.ts";
import type { Speech } from "../speech.ts";
import type { After } from "../timers.ts";
import type { CallEnd, CallHandlers, CallTransport, OutgoingCall } from "../transport.ts";
import { type Behaviour, behaviourOf } from "./numbers.ts";

/** How long each step of a simulated call takes, in milliseconds. */
const stepMs = { ringing: 100, answered: 250, ended: 300, pressed: 400, between: 50, sound: 300, said: 200 };
const hangsUpAfterMs = 2_000;
const keys = "1234#";

const ends: Readonly<Partial<Record<Behaviour, CallEnd>>> = {
  busy: { ...ofNetwork("busy", 486, "Busy Here"), error: null },
  no_answer: { ...ofNetwork("no_answer", 480, "Temporarily Unavailable"), error: null },
  rejects: { ...ofNetwork("failed", 603, "Decline"), error: { code: "rejected", message: "The callee declined the call (simulated)." } },
  trunk_down: {
    ...ofNetwork("failed", 503, "Service Unavailable"),
    error: { code: "trunk_unreachable", message: "The trunk didn't accept the call (simulated)." },
  },
};

function ofNetwork(status: CallEnd["status"], sip_code: number, reason: string): Omit<CallEnd, "error"> {
  return { status, sip_code, reason, hangup_by: status === "failed" ? null : "callee" };
}

/** TEST calls: no real call is placed, and the number determines what the callee does. */
export function createSimulator(ctx: Pick<Ctx, "now">, after: After): CallTransport {
  return {
    name: "simulator",
    channels: 500,
    isOpen: true,
    takes: () => true,
    dial(call, handlers) {
      const simulated = new SimulatedCall(call, { handlers, now: ctx.now, after });
      return { hangUp: (by) => simulated.hangUp(by) };
    },
    close: async () => {},
  };
}

interface Environment {
  handlers: CallHandlers;
  now: Ctx["now"];
  after: After;
}

class SimulatedCall {
  readonly #call: OutgoingCall;
  readonly #environment: Environment;
  readonly #behaviour: Behaviour;
  readonly #timers = new Set<() => void>();
  /** Callbacks that wait for an event of the call; they are called when it ends. */
  readonly #waiting = new Set<() => void>();
  #answeredAt: Date | null = null;
  #isOver = false;

  constructor(call: OutgoingCall, environment: Environment) {
    this.#call = call;
    this.#environment = environment;
    this.#behaviour = behaviourOf(call.to);
    const end = ends[this.#behaviour];
    if (this.#behaviour !== "trunk_down") this.#later(stepMs.ringing, () => environment.handlers.ringing(environment.now()));
    if (end === undefined) this.#later(stepMs.answered, () => this.#answer());
    else this.#later(stepMs.ended, () => this.#end(end));
  }

  hangUp(by: "caller" | "limit"): void {
    const status = this.#answeredAt === null ? "canceled" : "completed";
    this.#later(0, () => this.#end({ status, sip_code: status === "canceled" ? 487 : 200, reason: null, hangup_by: by, error: null }));
  }

  #answer(): void {
    const { handlers, now } = this.#environment;
    this.#answeredAt = now();
    if (this.#behaviour === "presses") this.#press(keys, stepMs.pressed);
    if (this.#behaviour === "hangs_up")
      this.#later(hangsUpAfterMs, () => this.#end({ status: "completed", sip_code: 200, reason: null, hangup_by: "callee", error: null }));
    this.#later(this.#call.limitMs, () => this.hangUp("limit"));
    handlers.answered(this.#answeredAt, {
      play: (_sound, signal) => this.#play(signal),
      sendDigits: async (_digits, signal) => void (await this.#play(signal)),
      onAudio: (listener) => this.#speak(listener),
      recording: async () => this.#recording(),
      hangUp: () => this.hangUp("caller"),
    });
  }

  #press(digits: string, afterMs: number): void {
    this.#later(afterMs, () => {
      this.#environment.handlers.digit(digits[0] as string, this.#environment.now());
      if (digits.length > 1) this.#press(digits.slice(1), stepMs.between);
    });
  }

  /** Audio is short here, except for callees who hang up while listening. */
  #play(signal: AbortSignal): Promise<"played" | "stopped"> {
    return new Promise((resolve) => {
      if (signal.aborted || this.#isOver) return resolve("stopped");
      const stopped = () => resolve("stopped");
      const cancel = this.#behaviour === "hangs_up" ? () => {} : this.#later(stepMs.sound, () => resolve("played"));
      this.#waiting.add(stopped);
      signal.addEventListener("abort", () => {
        cancel();
        stopped();
      });
    });
  }

  /** A recorded callee speaks for a second, then presses # to finish. */
  #speak(listener: (pcm: Buffer) => void): () => void {
    const cancel = this.#later(stepMs.said, () => {
      for (let frame = 0; frame < 50; frame += 1) listener(tone(frame));
      this.#environment.handlers.digit("#", this.#environment.now());
    });
    return cancel;
  }

  #recording(): { wav: Buffer; channels: 1 | 2; durationMs: number } | null {
    const { record } = this.#call;
    if (record === false || this.#answeredAt === null) return null;
    const channels = record === "dual" ? 2 : 1;
    const second = Buffer.concat(Array.from({ length: 50 }, (_none, frame) => encodeMulaw(tone(frame))));
    const samples = channels === 1 ? second : Buffer.from([...second].flatMap((byte) => [0xff, byte]));
    return { wav: wavOf(samples, channels), channels, durationMs: 1_000 };
  }

  #end(end: CallEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const cancel of this.#timers) cancel();
    for (const stopped of this.#waiting) stopped();
    this.#environment.handlers.ended(end, this.#environment.now());
  }

  #later(ms: number, run: () => void): () => void {
    const cancel = this.#environment.after(ms, () => {
      this.#timers.delete(cancel);
      if (!this.#isOver) run();
    });
    this.#timers.add(cancel);
    return cancel;
  }
}

const frameSamples = sampleRate / 50;

/** 20 ms of a tone of 400 Hz. */
function tone(frame: number): Buffer {
  const pcm = Buffer.alloc(frameSamples * 2);
  for (let at = 0; at < frameSamples; at += 1)
    pcm.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * 400 * (frame * frameSamples + at)) / sampleRate)), at * 2);
  return pcm;
}

/** Silence: no one listens in TEST, and no speech engine is needed. */
export const silentSpeech: Speech = {
  name: "simulator",
  speak: async () => Buffer.alloc(frameSamples * 2),
};
