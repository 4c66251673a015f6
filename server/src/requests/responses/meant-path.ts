import { findNear } from "../validation/find-near.ts";

/** A path that exists. */
export interface RoutePath {
  pattern: RegExp;
  template: string;
  /** The replacement, if it is a deprecated alias. */
  aliasOf: string | null;
}

const lengthMax = 300;
const segmentsMax = 12;

/** A suggestion for a path that doesn't exist, as a sentence; null if none is close. */
export function findMeantPath(path: string, known: readonly RoutePath[]): string | null {
  if (path.length > lengthMax) return null;
  const plain = path.replace(/\/{2,}/g, "/").replace(/(.)\/$/, "$1");
  if (plain !== path && known.some(({ pattern }) => pattern.test(plain))) {
    return `Did you mean ${plain}? ${/\/{2}/.test(path) ? "There is a double slash." : "Remove the slash at the end."}`;
  }
  for (const [variant, why] of [
    [plain.toLowerCase(), " Paths are in lower case."],
    [`/api${plain}`, ""],
    [`/api/v1${plain}`, ""],
    [`/v1${plain}`, ""],
    [plain.replace(/^\/api\/v1\//, "/v1/"), ""],
  ] as const) {
    const found = variant === path ? undefined : known.find(({ pattern }) => pattern.test(variant));
    if (found !== undefined) return `Did you mean ${found.aliasOf === null ? variant : templateOf(found.aliasOf)}?${why}`;
  }
  const near = findMisspelt(plain, known);
  return near === null ? null : `Did you mean ${near}?`;
}

/** A known path that differs in the spelling of a single word. */
function findMisspelt(path: string, known: readonly RoutePath[]): string | null {
  const given = path.split("/");
  if (given.length > segmentsMax) return null;
  for (const { template, aliasOf } of known) {
    const words = template.split("/");
    if (words.length !== given.length || aliasOf !== null) continue;
    const wrong = words.flatMap((word, at) => (word.startsWith(":") || word === given[at] ? [] : [at]));
    const [at] = wrong;
    if (wrong.length !== 1 || at === undefined || findNear(given[at] ?? "", [words[at] ?? ""]) === null) continue;
    return given.map((part, place) => (place === at ? words[at] : part)).join("/");
  }
  return null;
}

function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}
