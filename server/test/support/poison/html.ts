/** Texts of about this many characters that have cost readers far more than their length explains. */
export type Poison = (length: number) => string;

/** A piece as often as it fits. */
export const times = (piece: string, length: number): string => piece.repeat(Math.max(1, Math.floor(length / piece.length)));

/** HTML that is deep, wide, long or not closed, and style sheets in it. */
export const poisonHtml: Readonly<Record<string, Poison>> = {
  "elements in one another": (length) => times("<div>", length),
  "elements in one another, all closed": (length) => times("<b>", length * 0.4) + times("</b>", length * 0.6),
  "elements beside one another": (length) => times("<b></b>", length),
  "as deep as may be, and wide": (length) => "<div>".repeat(480) + times('<a href="http://x.example/">x</a>', length),
  "paragraphs that nobody closed": (length) => times("<p>x", length),
  "list items that nobody closed": (length) => `<ul>${times("<li>x", length)}`,
  "cells that nobody closed": (length) => `<table><tr>${times("<td>x", length)}`,
  "closing tags without an opening one": (length) => times("</x>", length),
  "closing paragraphs without an opening one": (length) => times("</p>", length),
  "links in one another": (length) => times('<a href="http://x.example/">', 12_000) + times("x y ", length),
  "quotes in one another": (length) => times("<blockquote>", 5_000) + times("x<br>", length),
  "lists in one another": (length) => "<ul><li>".repeat(240) + times("x<br>", length),
  "drawings in one another": (length) => "<svg>".repeat(400) + times("<path/>", length),
  "an element with many attributes": (length) => `<a ${times("b=1 ", length)}>`,
  "an element with one long attribute": (length) => `<a href="http://${times("x", length)}">x</a>`,
  "an attribute that nobody closed": (length) => `<a href="${times("x ", length)}`,
  entities: (length) => times("&amp", length),
  "entities that are none": (length) => times("&#x;&notanentity", length),
  brackets: (length) => times("<", length),
  "openings of comments": (length) => times("<!--", length),
  "endings of comments": (length) => `<!--${times("->", length)}`,
  "a script that nobody closed": (length) => `<script>${times("</scrip", length)}`,
  "one long word": (length) => times("x", length),
  "many words": (length) => times("word ", length),
  blanks: (length) => `x${times(" ", length)}x`,
  "line ends": (length) => times("\r\n", length),
  "lone line ends": (length) => times("\r", length),
  "line breaks": (length) => times("<br>", length),
  "a style of nothing but noughts": (length) => `<p style="font-size:${times("0", length)}x">x</p>`,
  "a style of many declarations": (length) => `<p style="${times("a:b;", length)}">x</p>`,
  "a style sheet with blocks in one another": (length) => `<style>${times("a{", length)}</style>x`,
  "a style sheet with comments that nobody closed": (length) => `<style>${times("/*", length)}`,
  "letters beyond ASCII": (length) => `<p>${times("你", length)}</p>`,
  "halves of pairs": (length) => times("\ud800", length),
};

/** Short values, such as headers, subjects and names. */
export const poisonTexts: Readonly<Record<string, Poison>> = {
  "one long word": (length) => times("x", length),
  blanks: (length) => `x${times(" ", length)}x`,
  "tabs and blanks": (length) => times("\t ", length),
  quotes: (length) => times('"', length),
  backslashes: (length) => times("\\", length),
  "backslashes in quotes": (length) => `"${times("\\\\", length)}`,
  brackets: (length) => times("<", length),
  "brackets in pairs": (length) => times("<>", length),
  "brackets of three kinds": (length) => times("([{", length),
  commas: (length) => times(",", length),
  semicolons: (length) => times(";", length),
  "equals signs": (length) => times("=", length),
  dots: (length) => times("a.", length),
  colons: (length) => times(":", length),
  slashes: (length) => times("/", length),
  "at signs": (length) => times("a@", length),
  digits: (length) => `${times("1", length)}x`,
  "digits with dashes": (length) => `${times("1-", length)}x`,
  "letters beyond ASCII": (length) => times("é", length),
  "encoded words": (length) => times("=?utf-8?Q?x?= ", length),
  "encoded words that nobody closed": (length) => times("=?utf-8?Q?", length),
  percents: (length) => times("%", length),
  hyphens: (length) => times("-", length),
  noughts: (length) => `1${times("0", length)}1`,
  "line ends": (length) => times("\r\n", length),
  "folded lines": (length) => times("\r\n ", length),
  "marks out of order": (length) => `e${times("\u0301\u0316", length)}`,
};

/** Some of them, by name. */
export const someTexts = (...kinds: string[]): Readonly<Record<string, Poison>> =>
  Object.fromEntries(kinds.map((kind) => [kind, poisonTexts[kind] as Poison]));
