import { expect, test } from "vitest";
import { ignoreSteps, stepsOf } from "./steps.ts";

const { linearWork } = await import("./poison/linear-work.ts");

/** Four times the text may cost five times the work: a little more for tables that grow. A square costs sixteen times as much. */
const most = 5;
const short = 1_000;
/** What any text costs, so that nearly nothing is not compared with nearly nothing. */
const least = 500;
/** The test runner's own timers may fall into a measurement and add to it; what grows too fast does so in every turn. */
const turns = 4;

test.each(linearWork.filter(({ byEngine }) => byEngine !== true))(
  "takes work that grows as its text does: $name",
  { timeout: 120_000 },
  async ({ poisons, run }) => {
    const grown: string[] = [];
    for (const [kind, make] of Object.entries(poisons)) {
      const [little, much] = [make(short), make(short * 4)];
      // What is loaded once is loaded by then.
      await run(little);
      const taken: string[] = [];
      for (let turn = 0; turn < turns; turn += 1) {
        ignoreSteps();
        const few = await stepsOf(() => run(little));
        const many = await stepsOf(() => run(much));
        if (many <= Math.max(few, least) * most) break;
        taken.push(`${few} steps for ${little.length} characters, ${many} for ${much.length}`);
      }
      if (taken.length === turns) grown.push(`${kind}: ${taken.join("; ")}`);
    }
    expect(grown).toEqual([]);
  },
);

test("steps show a square where there is one", async () => {
  const { square } = await import("./poison/square.ts");
  ignoreSteps();
  const few = await stepsOf(() => square("x".repeat(300)));
  const many = await stepsOf(() => square("x".repeat(1_200)));
  expect(many / few).toBeGreaterThan(12);
});
