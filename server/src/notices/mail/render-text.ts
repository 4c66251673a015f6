import { languageInfo } from "#platform/index.ts";
import type { CompleteEmail } from "./email-content.ts";

const width = 72;

/** The same email for readers, programs and devices that use plain text. */
export function renderText(email: CompleteEmail): string {
  const { facts = [] } = email;
  const { colon } = languageInfo(email.lang);
  const parts = [
    email.test === null ? "" : `*** ${email.test} ***`,
    [email.title, email.figure === undefined ? "" : email.figure.whole].filter((line) => line !== "").join("\n"),
    ...email.lead.map(wrap),
    facts.map(([label, value]) => `${label}${colon}${value}`).join("\n"),
    email.more ?? "",
    `${email.button.label}${colon.trimEnd()}\n${email.button.url}`,
    ...email.after.map(wrap),
    `-- \n${email.speaker === undefined ? "Tillpost\n" : ""}${wrap(email.reason)}`,
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
