import { expect, it } from "vitest";
import { killRounds } from "./kill-rounds.ts";

it("keeps every acknowledged order, its event and its money through 2 kills under load", async () => {
  const report = await killRounds(2, 40);
  expect(report.unexpectedAnswers).toEqual([]);
  expect(report.faults).toEqual([]);
  expect(report.doctor.output).toContain("All is well.");
  expect(report.doctor.code).toBe(0);
  expect(report.acknowledged).toBeGreaterThan(40);
  expect(report.paid).toBeGreaterThan(8);
});
