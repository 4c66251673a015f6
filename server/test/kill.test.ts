import { expect, it } from "vitest";
import { killRounds } from "./kill-rounds.ts";

it("keeps every acknowledged order, its event and its money through 3 kills under load", async () => {
  const report = await killRounds(3, 60);
  expect(report.oddAnswers).toEqual([]);
  expect(report.faults).toEqual([]);
  expect(report.doctor.output).toContain("All is well.");
  expect(report.doctor.code).toBe(0);
  expect(report.acknowledged).toBeGreaterThan(90);
  expect(report.paid).toBeGreaterThan(20);
});
