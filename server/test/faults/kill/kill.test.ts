import { expect, it } from "vitest";
import { killRounds } from "./kill-rounds.ts";

it("keeps every acknowledged order, its event and its money through a kill of the program and its database under load", async () => {
  const report = await killRounds({ kills: 1, ordersBetween: 40, withDatabase: true });
  expect(report.unexpectedAnswers).toEqual([]);
  expect(report.faults).toEqual([]);
  expect(report.doctor.output).toContain("No problems found.");
  expect(report.doctor.code).toBe(0);
  expect(report.acknowledged).toBeGreaterThan(20);
  expect(report.paid).toBeGreaterThan(8);
});
