import type { Action, DtmfAction, GatherAction, PlayAction, PromptAction, RecordAction, SayAction } from "./actions.ts";

/** Keys that a gather waits for. */
export interface Keys {
  /** How many more it accepts; the last one ends it. */
  most: number;
  /** How many it has. */
  had: number;
  /** The key that ends it; empty: none. */
  finish: string;
  /** How long it waits for each, in milliseconds. */
  waitMs: number;
}

/** If the audio is a gather's prompt: what is still to be played after it, and the keys to wait for then. Any key interrupts it. */
export interface Prompt {
  rest: readonly PromptAction[];
  keys: Keys;
}

/**
 * The next actions of a script. Those with an `id` report back with it; `stop` ends one early, which then reports nothing. A leg that waits
 * for keys itself after a prompt reports its first audio as done once no keys were pressed (`waited`).
 */
export type Effect =
  | { do: "say"; id: number; action: SayAction; prompt?: Prompt }
  | { do: "play"; id: number; action: PlayAction; prompt?: Prompt }
  | { do: "wait"; id: number; ms: number; prompt?: Prompt }
  | { do: "listen"; id: number; keys: Keys }
  | { do: "send"; id: number; action: DtmfAction }
  /** Reports `recorded` when its time limit is reached or it is stopped. */
  | { do: "record"; id: number; action: RecordAction }
  | { do: "finish_recording"; id: number }
  | { do: "ask"; id: number; question: Question }
  | { do: "stop"; id: number }
  | { do: "gathered"; name: string; digits: string; attempts: number }
  | { do: "hang_up"; fault: Fault | null };

/** What is sent to the merchant's own address. */
export interface Question {
  url: string;
  reason: "answered" | "gather" | "record";
  digits?: string;
  recording?: string | null;
}

/** Why a script ends the call early. */
export interface Fault {
  code: "answer_failed" | "audio_failed" | "speech_failed" | "too_many_actions";
  message: string;
}

/** What happened. */
export type Input =
  | { type: "begin" }
  /** `waited`: a prompt was played to its end, and no key was pressed within its gather's timeout. */
  | { type: "done"; id: number; waited?: boolean }
  | { type: "digit"; digit: string }
  | { type: "recorded"; id: number; recording: string | null }
  /** `actions` null: the server returned no actions, and the script continues. */
  | { type: "actions"; id: number; actions: readonly Action[] | null }
  | { type: "failed"; id: number; fault: Fault };

type Doing =
  | { kind: "effect"; id: number; more: readonly PromptAction[] }
  | { kind: "prompt"; id: number; gather: GatherAction; attempt: number; more: readonly PromptAction[] }
  | { kind: "listen"; id: number; gather: GatherAction; attempt: number; digits: string }
  | { kind: "record"; id: number; record: RecordAction }
  | { kind: "ask"; id: number }
  | { kind: "farewell"; id: number; fault: Fault }
  | { kind: "over" };

/** The state of a script. */
interface Script {
  readonly left: readonly Action[];
  readonly doing: Doing | null;
  /** Keys that no gather has taken yet. */
  readonly typed: string;
  /** The finish key of the last gather, which got enough keys before it: it doesn't count for the next one. */
  readonly spare: string;
  readonly answerUrl: string | null;
  /** What is said before a call ends with a fault. */
  readonly farewell: SayAction;
  readonly steps: number;
  readonly lastId: number;
}

/** The maximum number of verbs that one call runs, however many its addresses return. */
const stepsMax = 500;
const typedMax = 32;

export interface NewScript {
  actions: readonly Action[];
  answerUrl: string | null;
  farewell: SayAction;
}

export function newScript({ actions, answerUrl, farewell }: NewScript): Script {
  return { left: actions, doing: null, typed: "", spare: "", answerUrl, farewell, steps: 0, lastId: 0 };
}

/** The script after an input, and the effects that it requests, in this order. */
interface Step {
  script: Script;
  effects: readonly Effect[];
}

/** Advances a script by one input. Pure: callers run the effects. */
export function advance(script: Script, input: Input): Step {
  const { doing } = script;
  if (doing?.kind === "over") return { script, effects: [] };
  if (input.type === "begin") return next(script);
  if (input.type === "digit") return press(script, input.digit);
  // A stopped effect may still report.
  if (doing === null || doing.id !== input.id) return { script, effects: [] };
  if (input.type === "failed") return doing.kind === "farewell" ? hangUp(script, doing.fault) : fail(script, input.fault);
  if (input.type === "actions") return next(input.actions === null ? script : { ...script, left: input.actions });
  if (input.type === "recorded") return recorded(script, input.recording);
  return done(script, doing, input.waited === true);
}

function done(script: Script, doing: Exclude<Doing, { kind: "over" }>, waited: boolean): Step {
  switch (doing.kind) {
    case "effect":
      return doing.more.length === 0 ? next(script) : sound(script, doing.more, (id, more) => ({ kind: "effect", id, more }));
    case "prompt":
      if (waited) return again(script, { ...doing, kind: "listen", digits: "" });
      return doing.more.length === 0 ? listen(script, { ...doing, digits: "" }) : prompt(script, doing, doing.more);
    case "listen":
      return doing.digits === "" ? again(script, doing) : gathered(script, doing);
    case "farewell":
      return hangUp(script, doing.fault);
    default:
      return { script, effects: [] };
  }
}

/** The next verb. After the last one, the call's own address is requested, and then the call ends. */
function next(script: Script): Step {
  const { answerUrl: url } = script;
  const [action, ...left] = script.left;
  if (action === undefined) return url === null ? hangUp(script, null) : ask({ ...script, answerUrl: null }, { url, reason: "answered" });
  if (script.steps >= stepsMax) return fail(script, { code: "too_many_actions", message: `A call can run up to ${stepsMax} verbs.` });
  return begin({ ...script, left, steps: script.steps + 1 }, action);
}

function begin(script: Script, action: Action): Step {
  switch (action.verb) {
    case "say":
    case "play":
    case "pause":
      return sound(script, [action], (id, more) => ({ kind: "effect", id, more }));
    case "dtmf":
      return effect(script, (id) => [
        { do: "send", id, action },
        { kind: "effect", id, more: [] },
      ]);
    case "record":
      return effect(script, (id) => [
        { do: "record", id, action },
        { kind: "record", id, record: action },
      ]);
    case "gather":
      return gather(script, action, 1);
    case "hangup":
      return hangUp(script, null);
  }
}

/** Requests one effect that reports back. */
function effect(script: Script, make: (id: number) => [Effect, Doing]): Step {
  const id = script.lastId + 1;
  const [wanted, doing] = make(id);
  return { script: { ...script, doing, lastId: id }, effects: [wanted] };
}

/** Plays the first of some sounds, each as often as it says. */
function sound(script: Script, actions: readonly PromptAction[], doingOf: (id: number, more: readonly PromptAction[]) => Doing): Step {
  const [first, ...rest] = actions as readonly [PromptAction, ...PromptAction[]];
  const more = "loop" in first && first.loop > 1 ? [{ ...first, loop: first.loop - 1 }, ...rest] : rest;
  return effect(script, (id) => {
    const doing = doingOf(id, more);
    const prompt = doing.kind === "prompt" ? { prompt: { rest: more, keys: keysOf(doing.gather, 0) } } : {};
    return [{ ...soundEffect(first, id), ...prompt }, doing];
  });
}

type SoundEffect = Extract<Effect, { do: "say" | "play" | "wait" }>;

function soundEffect(action: PromptAction, id: number): SoundEffect {
  if (action.verb === "say") return { do: "say", id, action };
  if (action.verb === "play") return { do: "play", id, action };
  return { do: "wait", id, ms: Math.round(action.length * 1_000) };
}

function keysOf({ num_digits, finish_on_key, timeout }: GatherAction, had: number): Keys {
  return { most: (num_digits ?? typedMax) - had, had, finish: finish_on_key, waitMs: Math.round(timeout * 1_000) };
}

type Listening = Extract<Doing, { kind: "listen" }>;

/** Keys typed ahead count, and skip the prompt. */
function gather(script: Script, action: GatherAction, attempt: number): Step {
  const { typed } = script;
  if (typed === "") return prompt(script, { gather: action, attempt }, action.actions);
  const step = listen({ ...script, typed: "" }, { gather: action, attempt, digits: "" });
  return [...typed].reduce((step, digit) => {
    const pressed = press(step.script, digit);
    return { script: pressed.script, effects: [...step.effects, ...pressed.effects] };
  }, step);
}

function prompt(
  script: Script,
  { gather: action, attempt }: Pick<Listening, "gather" | "attempt">,
  actions: readonly PromptAction[],
): Step {
  if (actions.length === 0) return listen(script, { gather: action, attempt, digits: "" });
  return sound(script, actions, (id, more) => ({ kind: "prompt", id, gather: action, attempt, more }));
}

/** Waits for a key. */
function listen(script: Script, { gather: action, attempt, digits }: Omit<Listening, "kind" | "id">): Step {
  return effect(script, (id) => [
    { do: "listen", id, keys: keysOf(action, digits.length) },
    { kind: "listen", id, gather: action, attempt, digits },
  ]);
}

function press(script: Script, digit: string): Step {
  const { doing, spare } = script;
  const current = { ...script, spare: "" };
  if (spare !== "" && digit === spare) return { script: current, effects: [] };
  if (doing?.kind === "prompt") {
    const { script: waiting, effects } = listen(current, { ...doing, digits: "" });
    const pressed = press(waiting, digit);
    return { script: pressed.script, effects: [{ do: "stop", id: doing.id }, ...effects, ...pressed.effects] };
  }
  if (doing?.kind === "listen") return key(current, doing, digit);
  if (doing?.kind === "record") {
    const finishes = digit === doing.record.finish_on_key;
    return { script: current, effects: finishes ? [{ do: "finish_recording", id: doing.id }] : [] };
  }
  return { script: { ...current, typed: (script.typed + digit).slice(-typedMax) }, effects: [] };
}

/** A key that a gather listens for. */
function key(script: Script, doing: Listening, digit: string): Step {
  const stop: Effect = { do: "stop", id: doing.id };
  const { finish_on_key, num_digits } = doing.gather;
  if (digit === finish_on_key) return after(stop, doing.digits === "" ? again(script, doing) : gathered(script, doing));
  const digits = doing.digits + digit;
  if (digits.length === (num_digits ?? typedMax)) return after(stop, gathered({ ...script, spare: finish_on_key }, { ...doing, digits }));
  return after(stop, listen(script, { ...doing, digits }));
}

function after(first: Effect, { script, effects }: Step): Step {
  return { script, effects: [first, ...effects] };
}

/** No key was pressed: repeats the prompt, or ends with none. */
function again(script: Script, doing: Listening): Step {
  const { gather: action, attempt } = doing;
  return attempt < action.max_attempts ? prompt(script, { gather: action, attempt: attempt + 1 }, action.actions) : gathered(script, doing);
}

function gathered(script: Script, { gather: action, digits, attempt }: Listening): Step {
  const effect: Effect = { do: "gathered", name: action.name, digits, attempts: attempt };
  return after(effect, action.action_url === null ? next(script) : ask(script, { url: action.action_url, reason: "gather", digits }));
}

function recorded(script: Script, recording: string | null): Step {
  const { doing } = script;
  const url = doing?.kind === "record" ? doing.record.action_url : null;
  return url === null ? next(script) : ask(script, { url, reason: "record", recording });
}

function ask(script: Script, question: Question): Step {
  if (script.steps >= stepsMax) return fail(script, { code: "too_many_actions", message: `A call can run up to ${stepsMax} verbs.` });
  return effect({ ...script, steps: script.steps + 1 }, (id) => [
    { do: "ask", id, question },
    { kind: "ask", id },
  ]);
}

/** Says the farewell, and ends. If speech itself failed, ends immediately. */
function fail(script: Script, fault: Fault): Step {
  if (fault.code === "speech_failed") return hangUp(script, fault);
  return effect(script, (id) => [
    { do: "say", id, action: script.farewell },
    { kind: "farewell", id, fault },
  ]);
}

function hangUp(script: Script, fault: Fault | null): Step {
  return { script: { ...script, doing: { kind: "over" }, left: [] }, effects: [{ do: "hang_up", fault }] };
}
