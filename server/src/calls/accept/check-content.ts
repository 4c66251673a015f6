import type { Add } from "#messaging/index.ts";
import type { CallContent, CallInput } from "../shapes.ts";
import { actionLimits, sentDigits } from "../verbs/actions.ts";
import { Fields } from "../verbs/fields.ts";
import { keysSentence, type NamedUrl, readActions } from "../verbs/read-actions.ts";

const alternatives = ["text", "audio_url", "actions", "answer_url"] as const;
const fallbackMax = 1_000;

/** Reads what a call says and does, and the addresses that it requests; `add` gets every error. */
export function checkContent(input: CallInput, add: Add): { said: CallContent; urls: NamedUrl[] } {
  const fields = new Fields(input, { param: "", add });
  const given = alternatives.filter((name) => input[name] != null && input[name] !== "");
  if (given.length === 0) add("text", "parameter_missing", { reason: "required", message: `Send one of ${alternatives.join(", ")}.` });
  for (const name of given.slice(1))
    add(name, "parameter_conflict", { reason: "only_one", message: `Send only one of ${alternatives.join(", ")}.` });
  const urls: NamedUrl[] = [];
  const urlOf = (name: "audio_url" | "answer_url") => {
    const url = fields.text(name, { max: actionLimits.urlLength });
    if (url !== null) urls.push({ param: name, url });
    return url;
  };
  const said: CallContent = {
    text: fields.text("text", { max: actionLimits.characters }),
    audio_url: urlOf("audio_url"),
    actions: null,
    answer_url: urlOf("answer_url"),
    fallback_text: fields.text("fallback_text", { max: fallbackMax }),
    send_digits: fields.pattern("send_digits", { pattern: sentDigits, reason: "keys_to_send", message: keysSentence }),
  };
  if (input.actions == null) return { said, urls };
  const read = readActions(input.actions);
  for (const { param, code, ...why } of read.faults) add(param, code, why);
  return { said: { ...said, actions: read.actions }, urls: [...urls, ...read.urls] };
}
