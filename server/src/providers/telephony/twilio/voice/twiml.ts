import type { Keys } from "#calls/index.ts";

const head = '<?xml version="1.0" encoding="UTF-8"?>';

/** Ends a call. */
export const hangUpDocument = `${head}<Response><Hangup/></Response>`;

/** Keeps a call silent for a second, and makes the carrier ask again. */
export function waitingDocument(next: string): string {
  return respond('<Pause length="1"/>', next);
}

/** Wraps verbs, after which the carrier asks for the next document. */
export function respond(verbs: string, next: string): string {
  return `${head}<Response>${verbs}<Redirect method="POST">${escaped(next)}</Redirect></Response>`;
}

export function playVerb(sound: string): string {
  return `<Play>${escaped(sound)}</Play>`;
}

/** The carrier has no `W`. */
export function keysVerb(digits: string): string {
  return `<Play digits="${escaped(digits.replaceAll("W", "ww"))}"/>`;
}

interface Collecting {
  keys: Keys;
  sound: string | null;
  action: string;
}

/** A prompt that any key interrupts. Without a key, the carrier continues after it. */
export function gatherVerb({ keys, sound, action }: Collecting): string {
  const seconds = Math.max(1, Math.ceil(keys.waitMs / 1_000));
  const wanted = `numDigits="${keys.most}" timeout="${seconds}" finishOnKey="${escaped(keys.finish)}"`;
  return `<Gather input="dtmf" ${wanted} method="POST" action="${escaped(action)}">${sound === null ? "" : playVerb(sound)}</Gather>`;
}

/** The API has no way to say that no key ends a recording. */
const leastKey = "*";

export function recordVerb({ seconds, finish, action }: { seconds: number; finish: string; action: string }): string {
  const ends = `maxLength="${Math.max(2, seconds)}" timeout="${Math.max(2, seconds)}" finishOnKey="${escaped(finish === "" ? leastKey : finish)}"`;
  return `<Record ${ends} playBeep="false" trim="do-not-trim" method="POST" action="${escaped(action)}"/>`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (one) => entities[one] ?? "");
}
