import { languageInfo } from "#platform/index.ts";
import type { SetLetter } from "./letter.ts";

const width = 72;

/** The same letter for readers, programs and devices that use plain text. */
export function renderText(letter: SetLetter): string {
  const { facts = [] } = letter;
  const { colon } = languageInfo(letter.lang);
  const parts = [
    letter.test === null ? "" : `*** ${letter.test} ***`,
    [letter.title, letter.figure === undefined ? "" : letter.figure.whole].filter((line) => line !== "").join("\n"),
    ...letter.lead.map(wrap),
    facts.map(([label, value]) => `${label}${colon}${value}`).join("\n"),
    letter.more ?? "",
    `${letter.button.label}${colon.trimEnd()}\n${letter.button.url}`,
    ...letter.after.map(wrap),
    `-- \n${letter.speaker === undefined ? "Tillpost\n" : ""}${wrap(letter.reason)}`,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** Only breaks at spaces: Chinese has few, and clients wrap it themselves. */
function wrap(text: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}
