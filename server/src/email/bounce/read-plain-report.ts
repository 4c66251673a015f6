import type { Email } from "postal-mime";
import { oneLine, type ReportedRecipient } from "./reported.ts";

const maxAddresses = 50;

/** Reads reports that are only written for people: those of qmail, and of Exim as many hosts still run it. Empty for any other email. */
export function readPlainReport(mail: Email): ReportedRecipient[] {
  const text = mail.text ?? "";
  const failed = mail.headers.filter(({ key }) => key === "x-failed-recipients").flatMap(({ value }) => value.split(","));
  if (failed.length > 0)
    return failed.slice(0, maxAddresses).map((address) => eximRecipient(address.trim().toLowerCase(), { text, action: "failed" }));
  if (isEximWarning(text)) return eximAddresses(text).map((address) => eximRecipient(address, { text, action: "delayed" }));
  return readQmail(text);
}

/** "Hi. This is the qmail-send program": one paragraph per recipient, which begins with `<address>:`. */
function readQmail(text: string): ReportedRecipient[] {
  if (!/^hi\. this is the /i.test(text.trimStart()) && !/qmail-send program/i.test(text.slice(0, 500))) return [];
  return [...text.matchAll(/^<([^>\s]+)>:\r?\n((?:.+\r?\n?)+)/gm)].map(([, address = "", answer = ""]) => {
    return { address: address.toLowerCase(), action: "failed", ...answerIn(answer), remote: null };
  });
}

/** "has not yet been delivered to one or more of its recipients": Exim is still trying. */
function isEximWarning(text: string): boolean {
  const head = text.slice(0, 1_000);
  return /created automatically by mail delivery software/i.test(head) && /has not yet been delivered/i.test(head);
}

function eximAddresses(text: string): string[] {
  const lines = ownWords(text).filter((line) => /^ {2}[^\s@]+@[^\s@]+$/.test(line));
  return lines.slice(0, maxAddresses).map((line) => line.trim().toLowerCase());
}

/** Exim writes each address on its own line, and the response below it, indented further. */
function eximRecipient(address: string, { text, action }: { text: string; action: "failed" | "delayed" }): ReportedRecipient {
  const lines = ownWords(text);
  const at = lines.findIndex((line) => line.trim().toLowerCase() === address);
  const below = at < 0 ? [] : lines.slice(at + 1);
  const end = below.findIndex((line) => !/^ {3,}\S/.test(line));
  const report = below.slice(0, end < 0 ? below.length : end).join("\n");
  const remote = /\bhost (\S+) \[/.exec(report)?.[1] ?? null;
  const answer = answerIn(report);
  return { address, action, ...answer, enhanced_code: action === "failed" ? answer.enhanced_code : null, remote };
}

/** The report without the copy of the message, which Exim puts below. */
function ownWords(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trimEnd());
  const copy = lines.findIndex((line) => line.startsWith("------ This is a copy"));
  return copy < 0 ? lines : lines.slice(0, copy);
}

function answerIn(answer: string): Pick<ReportedRecipient, "enhanced_code" | "smtp_code" | "diagnostic"> {
  const enhanced_code = /(?:^|[\s#])([45]\.\d{1,3}\.\d{1,3})(?![\d.])/.exec(answer)?.[1] ?? "5.0.0";
  return {
    enhanced_code,
    smtp_code: Number(/(?:^|\s)([45]\d\d)[ -]/.exec(answer)?.[1]) || null,
    diagnostic: answer.trim() === "" ? null : oneLine(answer),
  };
}
