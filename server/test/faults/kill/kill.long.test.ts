import { expect, it } from "vitest";
import { killRounds } from "./kill-rounds.ts";

it("keeps every acknowledged order, its event and its money through 50 kills under load", async () => {
  const report = await killRounds({ kills: 50, ordersBetween: 150 });
  console.info(
    `${report.kills} kills, ${report.acknowledged} orders acknowledged, ${report.paid} paid, ${report.settledTogether} groups of payments, slowest start ${Math.round(report.slowestStartMs)} ms`,
  );
  expect(report.unexpectedAnswers).toEqual([]);
  expect(report.faults).toEqual([]);
  expect(report.doctor.output).toContain("No problems found.");
  expect(report.doctor.code).toBe(0);
  expect(report.acknowledged).toBeGreaterThan(3_750);
  expect(report.settledTogether).toBeGreaterThan(50);
});
