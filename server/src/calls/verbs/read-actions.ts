import type { Add } from "#messaging/index.ts";
import type { ErrorDetail } from "#platform/index.ts";
import {
  type Action,
  actionLimits,
  fastest,
  type GatherAction,
  gatherName,
  languageTag,
  type PromptAction,
  type RecordAction,
  type SayAction,
  sentDigits,
  slowest,
  verbs,
  voiceName,
} from "./actions.ts";
import { Fields } from "./fields.ts";

/** Addresses in actions, with their position. */
export interface NamedUrl {
  param: string;
  url: string;
}

interface ReadActions {
  actions: Action[];
  urls: NamedUrl[];
  faults: ErrorDetail[];
}

/** What one reading accumulates. */
interface Reading {
  add: Add;
  urls: NamedUrl[];
  verbs: number;
  characters: number;
}

const fieldsOf: Record<Action["verb"], readonly string[]> = {
  say: ["text", "voice", "language", "speed", "loop"],
  play: ["url", "loop"],
  pause: ["length"],
  gather: ["name", "num_digits", "finish_on_key", "timeout", "max_attempts", "actions", "action_url"],
  record: ["max_length", "finish_on_key", "action_url"],
  dtmf: ["digits"],
  hangup: [],
};
const prompts: readonly string[] = ["say", "play", "pause"];

/** Reads a list of verbs from any source; reports all of its errors. `param` is its position. */
export function readActions(given: unknown, param = "actions"): ReadActions {
  const faults: ErrorDetail[] = [];
  const reading: Reading = { add: (at, code, why) => void faults.push({ param: at, code, ...why }), urls: [], verbs: 0, characters: 0 };
  const actions = listOf(given, { param, reading, among: verbs });
  const { verbs: most, characters } = actionLimits;
  if (reading.verbs > most)
    reading.add(param, "parameter_invalid", {
      reason: "too_many",
      values: { max: most },
      message: `A list can have up to ${most} verbs, including those inside gathers.`,
    });
  if (reading.characters > characters)
    reading.add(param, "parameter_invalid", {
      reason: "too_long",
      values: { max: characters },
      message: `A call can say up to ${characters} characters in total.`,
    });
  return { actions, urls: reading.urls, faults };
}

interface Listing {
  param: string;
  reading: Reading;
  among: readonly string[];
}

function listOf(given: unknown, { param, reading, among }: Listing): Action[] {
  if (!Array.isArray(given) || given.length === 0) {
    reading.add(param, "parameter_invalid", { reason: "wrong_type", message: `${param} must be a list of verbs.` });
    return [];
  }
  reading.verbs += given.length;
  // Everything beyond the limit is refused as a whole.
  return given
    .slice(0, actionLimits.verbs)
    .flatMap((one: unknown, index) => actionOf(one, { param: `${param}[${index}]`, reading, among }) ?? []);
}

function actionOf(given: unknown, { param, reading, among }: Listing): Action | null {
  const { add } = reading;
  const fields = new Fields(given, { param, add });
  const verb = fields.raw("verb");
  if (typeof verb !== "string" || !among.includes(verb)) {
    add(`${param}.verb`, "parameter_invalid", {
      reason: "not_in_list",
      values: { allowed: [...among] },
      message: `Use one of these verbs: ${among.join(", ")}.`,
    });
    return null;
  }
  const name = verb as Action["verb"];
  fields.refuseOthers(["verb", ...fieldsOf[name]]);
  return makers[name](fields, reading);
}

const makers: Record<Action["verb"], (fields: Fields, reading: Reading) => Action> = {
  say: sayOf,
  play: (fields, reading) => ({ verb: "play", url: urlOf(fields, "url", reading) ?? fields.missing("url"), loop: loopOf(fields) }),
  pause: (fields) => ({ verb: "pause", length: fields.number("length", { min: 0.1, max: actionLimits.pauseSeconds, usual: 1 }) }),
  gather: gatherOf,
  record: (fields, reading): RecordAction => ({
    verb: "record",
    max_length: fields.number("max_length", { min: 1, max: actionLimits.recordSeconds, usual: 60, whole: true }),
    finish_on_key: finishKeyOf(fields),
    action_url: urlOf(fields, "action_url", reading),
  }),
  dtmf: (fields) => ({
    verb: "dtmf",
    digits: fields.pattern("digits", { pattern: sentDigits, reason: "keys_to_send", message: keysSentence }) ?? fields.missing("digits"),
  }),
  hangup: () => ({ verb: "hangup" }),
};

export const keysSentence = `Send 1 to ${actionLimits.sentDigits} keys of 0-9, A-D, * and #. Use w to pause for half a second and W for a second.`;

function sayOf(fields: Fields, reading: Reading): SayAction {
  const text = fields.text("text", { max: actionLimits.characters }) ?? fields.missing("text");
  reading.characters += [...text].length;
  return { verb: "say", text, ...spokenOf(fields), loop: loopOf(fields) };
}

/** How a text is spoken, of a verb or of a whole call. */
export function spokenOf(fields: Fields): Pick<SayAction, "voice" | "language" | "speed"> {
  return {
    voice: fields.pattern("voice", {
      pattern: voiceName,
      reason: "voice_name",
      message: "A voice name has 1 to 64 letters, digits, spaces and . _ + / - characters.",
    }),
    language: fields.pattern("language", {
      pattern: languageTag,
      reason: "language_tag",
      message: "Use a language tag such as en-US or zh-CN.",
    }),
    speed: fields.optionalNumber("speed", { min: slowest, max: fastest }),
  };
}

function gatherOf(fields: Fields, reading: Reading): GatherAction {
  const { gatherSeconds, gatherDigits, attempts } = actionLimits;
  const given = fields.raw("actions");
  const inner = given == null ? [] : listOf(given, { param: `${fields.param}.actions`, reading, among: prompts });
  return {
    verb: "gather",
    name: fields.pattern("name", { pattern: gatherName, reason: "gather_name", message: nameSentence }) ?? "digits",
    num_digits: fields.optionalNumber("num_digits", { min: 1, max: gatherDigits, whole: true }),
    finish_on_key: finishKeyOf(fields),
    timeout: fields.number("timeout", { min: 1, max: gatherSeconds, usual: 5 }),
    max_attempts: fields.number("max_attempts", { min: 1, max: attempts, usual: 1, whole: true }),
    actions: inner as PromptAction[],
    action_url: urlOf(fields, "action_url", reading),
  };
}

const nameSentence = "A gather's name starts with a letter and has up to 64 letters, digits, underscores and hyphens.";

function finishKeyOf(fields: Fields): string {
  return (
    fields.pattern("finish_on_key", {
      pattern: /^[0-9*#]?$/,
      reason: "one_key",
      message: "finish_on_key must be one of 0-9, * and #, or empty for none.",
    }) ?? "#"
  );
}

function loopOf(fields: Fields): number {
  return fields.number("loop", { min: 1, max: actionLimits.loop, usual: 1, whole: true });
}

function urlOf(fields: Fields, name: string, { urls }: Reading): string | null {
  const url = fields.text(name, { max: actionLimits.urlLength });
  if (url !== null) urls.push({ param: `${fields.param}.${name}`, url });
  return url;
}
