import type { Poison } from "./html.ts";
import { ignoreSteps, stepsOf } from "./steps.ts";

/** What one kind of work cost for a text and for one four times as long; of several turns, the one in which it grew least. */
export interface Grown {
  name: string;
  kind: string;
  few: number;
  many: number;
}

/** The test runner's own timers aren't part of any measurement here, the engine's own may be; what grows too fast does so in every turn. */
const turns = 4;
const short = 1_000;

/**
 * A program: reports how the work of each reader grows with its text. A separate process, because what was loaded before the counting began
 * isn't counted, and what is loaded after it stays slow.
 */
const { kindsOf, linearWork } = await import("./linear-work.ts");
const { square } = await import("./square.ts");
const [, , enough = 0, each = 1] = process.argv.map(Number);
const grown: Grown[] = [];
for (const [index, { name, poisons, run }] of linearWork.entries())
  for (const kind of kindsOf(index, each)) grown.push({ name, kind, ...(await grow(run, poisons[kind] as Poison)) });
grown.push({ name: "square", kind: "square", ...(await grow(square, (length) => "x".repeat(length / 4))) });
process.send?.(grown, () => process.exit(0));

async function grow(run: (text: string) => unknown, make: (length: number) => string): Promise<{ few: number; many: number }> {
  const [little, much] = [make(short), make(short * 4)];
  // What is loaded once is loaded by then.
  await run(little);
  let least = { few: 1, many: Number.POSITIVE_INFINITY };
  for (let turn = 0; turn < turns; turn += 1) {
    ignoreSteps();
    const few = await stepsOf(() => run(little));
    const many = await stepsOf(() => run(much));
    if (many / few < least.many / least.few) least = { few, many };
    if (many <= few * enough) break;
  }
  return least;
}
