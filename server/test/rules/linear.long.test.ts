import { expect, test } from "vitest";
import { testSteps } from "#test/support/poison/linear.ts";
import { linearWork } from "#test/support/poison/linear-work.ts";

/**
 * Processor time, including regular expressions and the engine's own work: eight times the text may cost sixteen times as much. Quadratic
 * work costs sixty-four times.
 */
const most = 16;
const short = 8_000;
/** Anything shorter isn't measured well. */
const leastMs = 15;

await testSteps(1);

test.each(linearWork)("takes processor time that grows linearly with its text: $name", { timeout: 900_000 }, async ({ poisons, run }) => {
  const grown: string[] = [];
  for (const [kind, make] of Object.entries(poisons)) {
    const [little, much] = [make(short), make(short * 8)];
    const few = await cheapestMs(() => run(little));
    const many = await cheapestMs(() => run(much));
    if (many > Math.max(few, leastMs) * most)
      grown.push(`${kind}: ${few.toFixed(0)} ms for ${little.length} characters, ${many.toFixed(0)} ms for ${much.length}`);
  }
  expect(grown).toEqual([]);
});

/** The fastest of three runs, the one with the least other work in it. */
async function cheapestMs(work: () => unknown): Promise<number> {
  let cheapest = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 3; time += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    cheapest = Math.min(cheapest, (user + system) / 1_000);
  }
  return cheapest;
}
