/** Where a text stops being JSON: the first character that isn't allowed, and what is. */
export interface JsonFault {
  line: number;
  column: number;
  /** The expected and the actual text. */
  sentence: string;
}

type Expecting = "value" | "first item" | "name" | "first name" | "colon" | "comma" | "end";

const whitespace = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literal = /(?:true|false|null)(?![\w$])/y;
const word = /[A-Za-z_$][\w$]{0,19}/y;

/**
 * Finds the first error of a text that `JSON.parse` refused, in one pass without recursion. The engine's own message has no position for
 * short texts, and differs from version to version.
 */
export function findJsonFault(text: string): JsonFault | null {
  const found = scan(text);
  if (found === null) return null;
  const before = text.slice(0, found.at);
  const line = before.split("\n").length;
  return { line, column: found.at - (before.lastIndexOf("\n") + 1) + 1, sentence: found.sentence };
}

interface Found {
  at: number;
  sentence: string;
}

interface Place {
  text: string;
  at: number;
  expecting: Expecting;
  /** The missing closing brackets, innermost last. */
  owed: ("}" | "]")[];
}

function scan(text: string): Found | null {
  const place: Place = { text, at: 0, expecting: "value", owed: [] };
  for (;;) {
    place.at = skip(whitespace, text, place.at);
    if (place.at >= text.length) return place.expecting === "end" ? null : unexpected(place);
    const fault = step(place, text.charAt(place.at));
    if (fault !== null) return fault;
  }
}

/** Reads one token, or returns why it isn't allowed there. */
function step(place: Place, character: string): Found | null {
  const closes = character === place.owed.at(-1) && (place.expecting.startsWith("first") || place.expecting === "comma");
  if (closes) {
    place.owed.pop();
    return endValue(place, 1);
  }
  switch (place.expecting) {
    case "value":
    case "first item":
      return value(place, character);
    case "name":
    case "first name":
      if (character !== '"') return unexpected(place);
      return text(place, "colon");
    case "colon":
      if (character !== ":") return unexpected(place);
      return go(place, "value");
    case "comma":
      if (character !== ",") return unexpected(place);
      return go(place, place.owed.at(-1) === "}" ? "name" : "value");
    default:
      return unexpected(place);
  }
}

function value(place: Place, character: string): Found | null {
  if (character === "{" || character === "[") {
    place.owed.push(character === "{" ? "}" : "]");
    return go(place, character === "{" ? "first name" : "first item");
  }
  if (character === '"') return text(place, null);
  const end = Math.max(skip(number, place.text, place.at), skip(literal, place.text, place.at));
  return end === place.at ? unexpected(place) : endValue(place, end - place.at);
}

function go(place: Place, expecting: Expecting): null {
  place.at += 1;
  place.expecting = expecting;
  return null;
}

function endValue(place: Place, length: number): null {
  place.at += length;
  place.expecting = place.owed.length === 0 ? "end" : "comma";
  return null;
}

/** A quoted text; `next` is what follows a name, null if the text is a value. */
function text(place: Place, next: Expecting | null): Found | null {
  for (let at = place.at + 1; at < place.text.length; at += 1) {
    const character = place.text.charAt(at);
    if (character === '"') {
      endValue(place, at + 1 - place.at);
      if (next !== null) place.expecting = next;
      return null;
    }
    if (character < " ") return { at, sentence: "a line break or control character in a string must be escaped, as \\n" };
    if (character !== "\\") continue;
    if (!/^(?:["\\/bfnrt]|u[\da-fA-F]{4})/.test(place.text.slice(at + 1, at + 6)))
      return { at, sentence: "this escape doesn't exist; write a backslash as \\\\" };
    at += 1;
  }
  return { at: place.at, sentence: "this string has no closing quote" };
}

const wanted: Record<Expecting, string> = {
  value: "a value",
  "first item": "a value or ]",
  name: "a name in double quotes",
  "first name": "a name in double quotes or }",
  colon: "a colon",
  comma: "a comma",
  end: "nothing after the end",
};

function unexpected(place: Place): Found {
  const expected = place.expecting === "comma" ? `a comma or ${place.owed.at(-1)}` : wanted[place.expecting];
  return { at: place.at, sentence: `expected ${expected}, found ${foundAt(place)}${hintAt(place)}` };
}

function foundAt({ text, at }: Place): string {
  if (at >= text.length) return "the end of the body";
  const end = skip(word, text, at);
  if (end > at) return text.slice(at, end);
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return /^[!-~]$/.test(character) ? character : `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function hintAt({ text, at, expecting }: Place): string {
  const character = text.charAt(at);
  if (character === "'") return ": use double quotes";
  if (character === "\ufeff") return ": remove the byte order mark";
  if (character === "/" || character === "#") return ": JSON has no comments";
  if ((character === "}" || character === "]") && (expecting === "name" || expecting === "value")) return ": remove the comma before it";
  if (at === 0 && /^[\w.[\]%-]+=/.test(text.slice(0, 200))) return ": this looks like a form, send JSON";
  return "";
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}
