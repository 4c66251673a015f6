import { BadSound } from "../audio/read-wav.ts";
import { sampleRate } from "../audio/write-wav.ts";
import type { CallStep } from "../shapes.ts";
import type { Speech, Spoken } from "../speech.ts";
import type { After } from "../timers.ts";
import type { CallLeg } from "../transport.ts";
import type { Action, PromptAction, SayAction } from "../verbs/actions.ts";
import { advance, type Effect, type Fault, type Input, type NewScript, newScript, type Question } from "../verbs/script.ts";
import { type Recorder, startRecorder } from "./recorder.ts";
import { NoAnswer } from "./request-actions.ts";

/** What a script needs from the call that it runs on. */
interface Stage {
  script: NewScript;
  leg: CallLeg;
  speech: Speech;
  after: After;
  /** How the call's texts are spoken if an action doesn't say. */
  usual: Spoken;
  sound(url: string): Promise<Buffer>;
  ask(question: Question): Promise<Action[] | null>;
  gathered(gather: { name: string; digits: string; attempts: number }): void;
  /** Called for each step as it starts, and for keys once a gather has them. */
  did(step: Done): void;
  /** Stores what a callee said, as μ-law; returns the recording's id, or null if it couldn't be stored. */
  keep(samples: Buffer): Promise<string | null>;
  warn(error: unknown, message: string): void;
}

/** A step without its time. */
export type Done = Omit<CallStep, "at">;

/** A running script. */
export interface Conductor {
  press(digit: string): void;
  /** Resolves when the script wants to end the call, with the reason if something went wrong. */
  readonly over: Promise<Fault | null>;
  /** Called when the call has ended. Resolves once a recording in progress is stored. */
  end(): Promise<void>;
  /** Resolves once the recordings that are in memory now are stored; others may still be fetched from a carrier. */
  stored(): Promise<void>;
}

interface Running {
  stage: Stage;
  aborts: Map<number, AbortController>;
  recorders: Map<number, Recorder>;
  /** Recordings in progress, until they are stored. */
  keeping: Set<Promise<unknown>>;
  /** Of these, the ones that are being stored. */
  storing: Set<Promise<unknown>>;
  feed(input: Input): void;
  finish(fault: Fault | null): void;
}

/** Runs a script on an answered call. */
export function conduct(stage: Stage): Conductor {
  const { promise: over, resolve: finish } = Promise.withResolvers<Fault | null>();
  let script = newScript(stage.script);
  let isOver = false;
  const running: Running = {
    stage,
    aborts: new Map(),
    recorders: new Map(),
    keeping: new Set(),
    storing: new Set(),
    finish,
    feed(input) {
      if (isOver) return;
      const step = advance(script, input);
      script = step.script;
      for (const effect of step.effects) perform(running, effect);
    },
  };
  running.feed({ type: "begin" });
  return {
    press: (digit) => running.feed({ type: "digit", digit }),
    over,
    async end() {
      isOver = true;
      for (const abort of running.aborts.values()) abort.abort();
      for (const recorder of running.recorders.values()) recorder.finish();
      await Promise.all(running.keeping);
    },
    stored: async () => void (await Promise.all(running.storing)),
  };
}

/** Nothing done here reports back before it returns: the script advances one input at a time. */
function perform(running: Running, effect: Effect): void {
  const { stage } = running;
  const step = stepOf(effect);
  if (step !== null) stage.did(step);
  switch (effect.do) {
    case "say":
    case "play":
    case "wait":
      return begin(running, effect.id, (signal) => sound(stage, effect, signal));
    case "listen":
      return begin(
        running,
        effect.id,
        (signal) => stage.leg.collect?.(null, effect.keys, signal) ?? pause(stage.after, effect.keys.waitMs, signal),
      );
    case "send":
      return begin(running, effect.id, (signal) => stage.leg.sendDigits(effect.action.digits, signal));
    case "ask":
      return void ask(running, effect);
    case "record":
      return record(running, effect);
    case "finish_recording":
      return running.recorders.get(effect.id)?.finish();
    case "stop":
      return running.aborts.get(effect.id)?.abort();
    case "gathered":
      return stage.gathered({ name: effect.name, digits: effect.digits, attempts: effect.attempts });
    case "hang_up":
      return running.finish(effect.fault);
  }
}

const nothing = { text: null, url: null, name: null, digits: null };

/** The step that an effect is recorded as; null for effects that only advance the script. */
function stepOf(effect: Effect): Done | null {
  switch (effect.do) {
    case "say":
    case "play":
      return stepOfSound(effect.action);
    case "send":
      return { ...nothing, verb: "dtmf", digits: effect.action.digits };
    case "record":
      return { ...nothing, verb: "record" };
    case "ask":
      return { ...nothing, verb: "ask", url: effect.question.url };
    case "gathered":
      return { ...nothing, verb: "gather", name: effect.name, digits: effect.digits };
    default:
      return null;
  }
}

function stepOfSound(action: PromptAction): Done | null {
  if (action.verb === "pause") return null;
  return action.verb === "say" ? { ...nothing, verb: "say", text: action.text } : { ...nothing, verb: "play", url: action.url };
}

class SpeechFailed extends Error {}

type Sounding = Extract<Effect, { do: "say" | "play" | "wait" }>;

/**
 * Plays audio. A carrier that collects keys itself gets a gather's prompt as one audio file; the result says if it waited for keys in vain.
 */
async function sound(stage: Stage, effect: Sounding, signal: AbortSignal): Promise<unknown> {
  const { leg } = stage;
  if (effect.prompt !== undefined && leg.collect !== undefined) {
    const prompt = await promptOf(stage, effect, signal);
    return signal.aborted ? "stopped" : leg.collect(prompt, effect.prompt.keys, signal);
  }
  if (effect.do === "wait") return pause(stage.after, effect.ms, signal);
  const pcm = await pcmOf(stage, effect.action, signal);
  return signal.aborted ? "stopped" : leg.play(pcm, signal);
}

const bytesAMs = (sampleRate * 2) / 1_000;
/** The limit of a prompt that is sent to a carrier as one audio file: ten minutes. */
const promptBytesMax = 600_000 * bytesAMs;

/** A prompt's audio in sequence, including pauses. */
async function promptOf(stage: Stage, effect: Sounding, signal: AbortSignal): Promise<Buffer> {
  // If the same audio is repeated, the rest of the prompt begins with it.
  const first: PromptAction = effect.do === "wait" ? { verb: "pause", length: effect.ms / 1_000 } : { ...effect.action, loop: 1 };
  const sounds: Buffer[] = [];
  let length = 0;
  for (const [place, action] of [first, ...(effect.prompt?.rest ?? [])].entries()) {
    if (signal.aborted) break;
    const step = place === 0 ? null : stepOfSound(action);
    if (step !== null) stage.did(step);
    const sound = await pcmOf(stage, action, signal);
    length += sound.length * ("loop" in action ? action.loop : 1);
    if (length > promptBytesMax) throw new BadSound("The gather's prompt is longer than ten minutes, the most this carrier can play.");
    sounds.push(...Array.from({ length: "loop" in action ? action.loop : 1 }, () => sound));
  }
  const [only, ...others] = sounds;
  return only !== undefined && others.length === 0 ? only : Buffer.concat(sounds);
}

async function pcmOf(stage: Stage, action: PromptAction, signal: AbortSignal): Promise<Buffer> {
  if (action.verb === "pause") return Buffer.alloc(Math.round(action.length * 1_000) * bytesAMs);
  return action.verb === "say" ? spoken(stage, action, signal) : stage.sound(action.url);
}

function spoken({ speech, usual }: Stage, { text, voice, language, speed }: SayAction, signal: AbortSignal): Promise<Buffer> {
  const how: Spoken = { voice: voice ?? usual.voice, language: language ?? usual.language, speed: speed ?? usual.speed };
  return speech.speak(text, how, signal).catch((error: unknown) => {
    throw new SpeechFailed(error instanceof Error ? error.message : "The text couldn't be spoken.", { cause: error });
  });
}

function pause(after: After, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = after(ms, resolve);
    signal.addEventListener("abort", () => {
      cancel();
      resolve();
    });
  });
}

/** Starts something that can be stopped, and reports when it is done. */
function begin(running: Running, id: number, work: (signal: AbortSignal) => Promise<unknown>): void {
  const abort = new AbortController();
  running.aborts.set(id, abort);
  void work(abort.signal)
    .then(
      (how) => running.feed({ type: "done", id, waited: how === "waited" }),
      (error: unknown) => running.feed(failureOf(running, id, error)),
    )
    .finally(() => running.aborts.delete(id));
}

function failureOf({ stage }: Running, id: number, error: unknown): Input {
  if (error instanceof BadSound) return { type: "failed", id, fault: { code: "audio_failed", message: error.message } };
  if (error instanceof NoAnswer) return { type: "failed", id, fault: { code: "answer_failed", message: error.message } };
  if (error instanceof SpeechFailed) return { type: "failed", id, fault: { code: "speech_failed", message: error.message.slice(0, 500) } };
  stage.warn(error, "a step of a call failed; the call continues");
  return { type: "done", id };
}

async function ask(running: Running, { id, question }: Extract<Effect, { do: "ask" }>): Promise<void> {
  const answer = await running.stage.ask(question).then(
    (actions): Input => ({ type: "actions", id, actions }),
    (error: unknown): Input => {
      if (!(error instanceof NoAnswer)) running.stage.warn(error, "a merchant's address couldn't be queried about a call");
      const message = error instanceof NoAnswer ? error.message : "Your address couldn't be reached.";
      return { type: "failed", id, fault: { code: "answer_failed", message } };
    },
  );
  running.feed(answer);
}

function record(running: Running, { id, action }: Extract<Effect, { do: "record" }>): void {
  const { stage, recorders, keeping, storing } = running;
  const recorder = startRecorder(stage, action);
  recorders.set(id, recorder);
  const saved = recorder.samples.then((samples) => {
    if (samples.length === 0) return null;
    const stored = stage.keep(samples);
    storing.add(stored);
    void stored.finally(() => storing.delete(stored));
    return stored;
  });
  const done = saved.then((recording) => {
    recorders.delete(id);
    running.feed({ type: "recorded", id, recording });
  });
  keeping.add(done);
  void done.finally(() => keeping.delete(done));
}
