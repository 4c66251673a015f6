import { platformErrors } from "#platform/index.ts";
import { guessableWords, walkedRows } from "./guessable.ts";

/** In characters as people see them. */
export const passwordLength = { min: 10, max: 128 } as const;

/** A new password to check. */
export interface ChosenPassword {
  text: string;
  /** Its field in the request. */
  param: string;
  /** What others know about the person: address, name, business. */
  about: readonly string[];
}

const leastDistinct = 5;
const leastLeft = 6;
/** More digits than a counting sequence can have. */
const leastDigits = 16;

/**
 * The only rule for passwords, wherever they are set. Throws parameter_invalid for one that is too short or too long, and for one that is
 * easy to guess: common parts are removed, and enough must remain.
 */
export function refuseWeakPassword({ text, param, about }: ChosenPassword): void {
  const length = [...text].length;
  if (length < passwordLength.min)
    throw platformErrors.parameter_invalid({
      param,
      reason: "password_too_short",
      values: { min: passwordLength.min },
      message: `The password is too short: use at least ${passwordLength.min} characters.`,
    });
  if (length > passwordLength.max)
    throw platformErrors.parameter_invalid({
      param,
      reason: "password_too_long",
      values: { max: passwordLength.max },
      message: `The password is too long: use up to ${passwordLength.max} characters.`,
    });
  if (!isGuessable(text, about)) return;
  throw platformErrors.parameter_invalid({
    param,
    reason: "password_guessable",
    message:
      "This password is too easy to guess: it's mostly a pattern, a common word, or your own name or address. Use a few unrelated words instead.",
  });
}

function isGuessable(text: string, about: readonly string[]): boolean {
  const plain = compact(text);
  if (new Set(plain).size < leastDistinct || isRepeated([...text.normalize("NFKC")]) || isRepeated([...plain])) return true;
  const words = [...about.flatMap(partsOf), ...guessableWords].sort((left, right) => right.length - left.length);
  return [plain, unmasked(plain)].some((form) => leavesLittle(form, words));
}

/** In lower case, without separators. */
function compact(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s._\-+,'"/\\|]/g, "");
}

const masks: Record<string, string> = { "@": "a", "4": "a", "3": "e", "1": "i", "!": "i", "0": "o", $: "s", "5": "s", "7": "t" };

/** With digits and symbols read as the letters that they stand for. */
function unmasked(text: string): string {
  return [...text].map((sign) => masks[sign] ?? sign).join("");
}

/** A repeated part adds nothing: it would have to be long enough on its own. */
function isRepeated(signs: string[]): boolean {
  const period = signs.findIndex((_sign, at) => at > 0 && signs.slice(at).every((sign, index) => sign === signs[index]));
  return period > 0 && period < passwordLength.min && period <= signs.length / 2;
}

/**
 * The parts of an address or a name that attackers try. Two letters of an alphabet are in too many words; two Chinese characters are a
 * name.
 */
function partsOf(known: string): string[] {
  const [local = "", domain = ""] = known.toLowerCase().split("@");
  const parts = [known, local, ...local.split(/[^\p{L}\p{N}]+/u), ...domain.split(".")].map(compact);
  return parts.filter((part) => part.length >= (/^[ -~]*$/.test(part) ? 4 : 2));
}

const gap = "\u0000";

function leavesLittle(text: string, words: readonly string[]): boolean {
  const bare = words.reduce((rest, word) => rest.replaceAll(word, gap), text);
  const left = withoutWalks([...bare]).filter((sign) => sign !== gap);
  return left.length < leastLeft || (left.length < leastDigits && left.every((sign) => /\p{N}/u.test(sign)));
}

/** Without runs of one character, and of neighbors in a sequence. */
function withoutWalks(signs: string[]): string[] {
  const left: string[] = [];
  for (let at = 0; at < signs.length; ) {
    const run = Math.max(equalFrom(signs, at), walkFrom(signs, at));
    if (run === 0) left.push(signs[at] ?? "");
    at += Math.max(run, 1);
  }
  return left;
}

function equalFrom(signs: string[], at: number): number {
  let end = at + 1;
  while (end < signs.length && signs[end] === signs[at]) end += 1;
  return end - at >= 3 ? end - at : 0;
}

function walkFrom(signs: string[], at: number): number {
  let end = at + 1;
  while (end < signs.length && walkedRows.some((row) => row.includes(signs.slice(at, end + 1).join("")))) end += 1;
  return end - at >= 4 ? end - at : 0;
}
