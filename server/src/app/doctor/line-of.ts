import type { Finding } from "./checks.ts";

const marks = { fine: "ok   ", note: "note ", fault: "FAULT" };

/** A finding as a line for people, followed by its fix. */
export function lineOf({ check, state, says, fix }: Finding): string {
  return `${marks[state]}  ${check.padEnd(9)} ${says}\n${fix === undefined ? "" : `                 → ${fix}\n`}`;
}
