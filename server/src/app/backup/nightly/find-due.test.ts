import { expect, it } from "vitest";
import { isBackupDue } from "./find-due.ts";

/** In the machine's time zone, whatever it is. */
const at = (day: number, hour: number, minute = 0) => new Date(2026, 9, day, hour, minute);

it.each([
  ["the quiet hour has come since", at(10, 14), at(11, 3), true],
  ["it has come, and the backup is done", at(11, 3), at(11, 3, 30), false],
  ["it is over, and the machine was asleep", at(10, 14), at(11, 9), false],
  ["it was missed for a day and a half", at(10, 3), at(11, 15, 1), true],
  ["the installation is an hour old", at(10, 14), at(10, 15), false],
  ["it is a minute before", at(10, 3), at(11, 2, 59), false],
  ["the last backup was taken while the clock was ahead", at(12, 3), at(11, 14), true],
  ["it was taken by a process whose clock is a little ahead", at(11, 14, 1), at(11, 14), false],
])("%s", (_what, since, now, due) => {
  expect(isBackupDue({ now, since, hour: 3 })).toBe(due);
});
