import type { Finding } from "./checks.ts";

const marks = { fine: "ok   ", note: "note ", fault: "FAULT" };

/** A finding as a line for people, followed by its fix. */
export function lineOf({ check, state, message, fix }: Finding): string {
  return `${marks[state]}  ${check.padEnd(9)} ${message}\n${fix === undefined ? "" : `                 → ${fix}\n`}`;
}
