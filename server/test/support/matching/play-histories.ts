import { processEnvironment } from "#app/config.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { seeded } from "#test/support/race/race.ts";
import { createTill } from "./create-till.ts";
import { playHistory } from "./history.ts";
import { emptyReport, type Report } from "./play.ts";
import { PureTill } from "./pure-till.ts";

/** A new seed, printed so that MATCHING_SEED repeats the run. */
export function chosenSeed(): number {
  return Number(processEnvironment()["MATCHING_SEED"] ?? Math.floor(Math.random() * 1e9));
}

/** Plays histories on the pure rules; those of one seed are the same each time. */
export async function playPureHistories(histories: number, seed: number): Promise<Report> {
  const report = emptyReport();
  for (let index = 0; index < histories && report.faults.length < 20; index += 1) {
    const { random, rules } = chanceOf(seed + index);
    const steps = 20 + Math.floor(random() * 40);
    await playHistory(new PureTill({ ...rules, random }), { random, report, name: `${seed + index}:`, steps, rules });
  }
  return report;
}

/** Plays histories on the product itself, with `steps` steps each. */
export async function playHistories(app: TestApp, given: { histories: number; seed: number; steps: number }): Promise<Report> {
  const { histories, seed, steps } = given;
  const report = emptyReport();
  for (let index = 0; index < histories && report.faults.length < 20; index += 1) {
    const { random, ...chosen } = chanceOf(seed + index);
    const history = { random, report, name: `${seed + index}:`, steps, rules: chosen.rules };
    await playHistory(await createTill(app, chosen), history).catch((error: unknown) => {
      throw new Error(`history ${seed + index} of ${steps} steps: ${error instanceof Error ? error.message : error}`, { cause: error });
    });
  }
  return report;
}

function chanceOf(seed: number) {
  const random = seeded(seed);
  const dice = random();
  const mode = dice < 0.7 ? ("unique_amount" as const) : dice < 0.88 ? ("remark" as const) : ("exact" as const);
  const max_offset_minor = [1, 2, 5, 99][Math.floor(random() * 4)] ?? 99;
  return { random, rules: { mode, max_offset_minor, strict: random() < 0.25 }, hasTwoCodes: random() < 0.5 };
}
