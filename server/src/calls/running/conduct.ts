import { BadSound } from "../audio/read-wav.ts";
import type { CallStep } from "../shapes.ts";
import type { Speech, Spoken } from "../speech.ts";
import type { After } from "../timers.ts";
import type { CallLeg } from "../transport.ts";
import type { Action, SayAction } from "../verbs/actions.ts";
import { advance, type Effect, type Fault, type Input, type NewScript, newScript, type Question } from "../verbs/script.ts";
import { NoAnswer } from "./ask-actions.ts";
import { type Recorder, startRecorder } from "./recorder.ts";

/** What a script needs of the call that it is carried out on. */
interface Stage {
  script: NewScript;
  leg: CallLeg;
  speech: Speech;
  after: After;
  /** How the call's texts are spoken where an action does not say. */
  usual: Spoken;
  sound(url: string): Promise<Buffer>;
  ask(question: Question): Promise<Action[] | null>;
  gathered(gather: { name: string; digits: string; attempts: number }): void;
  /** Is told of each step as it begins, and of keys once a gather has them. */
  did(step: Done): void;
  /** Keeps what a callee said, μ-law; answers the recording's id, or null where it could not be kept. */
  keep(samples: Buffer): Promise<string | null>;
  warn(error: unknown, message: string): void;
}

/** A step without its time. */
export type Done = Omit<CallStep, "at">;

/** A script that is being carried out. */
export interface Conductor {
  press(digit: string): void;
  /** Resolves when the script wants the call to end, with why if something went wrong. */
  readonly over: Promise<Fault | null>;
  /** The call has ended. Resolves once a recording that was under way is kept. */
  end(): Promise<void>;
}

interface Running {
  stage: Stage;
  aborts: Map<number, AbortController>;
  recorders: Map<number, Recorder>;
  /** Recordings on their way into the store. */
  keeping: Set<Promise<unknown>>;
  feed(input: Input): void;
  finish(fault: Fault | null): void;
}

/** Carries a script out on an answered call. */
export function conduct(stage: Stage): Conductor {
  const { promise: over, resolve: finish } = Promise.withResolvers<Fault | null>();
  let script = newScript(stage.script);
  let isOver = false;
  const running: Running = {
    stage,
    aborts: new Map(),
    recorders: new Map(),
    keeping: new Set(),
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
  };
}

/** Nothing that is done here reports back before it returns: the script is moved on one input at a time. */
function perform(running: Running, effect: Effect): void {
  const { stage } = running;
  const step = stepOf(effect);
  if (step !== null) stage.did(step);
  switch (effect.do) {
    case "say":
      return begin(running, effect.id, (signal) => say(stage, effect.action, signal));
    case "play":
      return begin(running, effect.id, async (signal) => {
        const sound = await stage.sound(effect.action.url);
        if (!signal.aborted) await stage.leg.play(sound, signal);
      });
    case "wait":
      return begin(running, effect.id, (signal) => pause(stage.after, effect.ms, signal));
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

/** What is worth telling of an effect afterwards; null for what only moves the script on. */
function stepOf(effect: Effect): Done | null {
  switch (effect.do) {
    case "say":
      return { ...nothing, verb: "say", text: effect.action.text };
    case "play":
      return { ...nothing, verb: "play", url: effect.action.url };
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

class SpeechFailed extends Error {}

async function say({ speech, usual, leg }: Stage, { text, voice, language, speed }: SayAction, signal: AbortSignal): Promise<void> {
  const how: Spoken = { voice: voice ?? usual.voice, language: language ?? usual.language, speed: speed ?? usual.speed };
  const sound = await speech.speak(text, how).catch((error: unknown) => {
    throw new SpeechFailed(error instanceof Error ? error.message : "The text could not be spoken.", { cause: error });
  });
  if (!signal.aborted) await leg.play(sound, signal);
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

/** Does something that may be stopped, and reports when it is done. */
function begin(running: Running, id: number, work: (signal: AbortSignal) => Promise<unknown>): void {
  const abort = new AbortController();
  running.aborts.set(id, abort);
  void work(abort.signal)
    .then(
      () => running.feed({ type: "done", id }),
      (error: unknown) => running.feed(failureOf(running, id, error)),
    )
    .finally(() => running.aborts.delete(id));
}

function failureOf({ stage }: Running, id: number, error: unknown): Input {
  if (error instanceof BadSound) return { type: "failed", id, fault: { code: "audio_failed", message: error.message } };
  if (error instanceof NoAnswer) return { type: "failed", id, fault: { code: "answer_failed", message: error.message } };
  if (error instanceof SpeechFailed) return { type: "failed", id, fault: { code: "speech_failed", message: error.message.slice(0, 500) } };
  stage.warn(error, "a step of a call failed; the call goes on");
  return { type: "done", id };
}

async function ask(running: Running, { id, question }: Extract<Effect, { do: "ask" }>): Promise<void> {
  const answer = await running.stage.ask(question).then(
    (actions): Input => ({ type: "told", id, actions }),
    (error: unknown): Input => {
      if (!(error instanceof NoAnswer)) running.stage.warn(error, "a merchant's address could not be asked about a call");
      const message = error instanceof NoAnswer ? error.message : "The address could not be asked.";
      return { type: "failed", id, fault: { code: "answer_failed", message } };
    },
  );
  running.feed(answer);
}

function record(running: Running, { id, action }: Extract<Effect, { do: "record" }>): void {
  const { stage, recorders, keeping } = running;
  const recorder = startRecorder(stage, action.max_length);
  recorders.set(id, recorder);
  const kept = recorder.samples.then((samples) => (samples.length === 0 ? null : stage.keep(samples)));
  const told = kept.then((recording) => {
    recorders.delete(id);
    running.feed({ type: "recorded", id, recording });
  });
  keeping.add(told);
  void told.finally(() => keeping.delete(told));
}
