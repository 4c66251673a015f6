import { fork } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import type { Grown } from "./count-steps.ts";
import { kindsOf, linearWork } from "./linear-work.ts";

/** Four times the text may cost five times the work: a little more for tables that grow. Quadratic work costs sixteen times as much. */
const most = 5;
/** What any text costs, so that two tiny numbers aren't compared. */
const least = 500;

/** Tests that the steps of every reader grow linearly with its text, with every `each`-th hostile text, different ones for each reader. */
export async function testSteps(each: number): Promise<void> {
  const counter = new URL("count-steps.ts", import.meta.url);
  const counting = fork(counter, [String(most), String(each)], { execArgv: ["--disable-warning=ExperimentalWarning"] });
  const [all] = (await once(counting, "message")) as [Grown[]];
  const counted = linearWork.map(({ name }, index) => ({ name, kinds: kindsOf(index, each) })).filter(({ kinds }) => kinds.length > 0);

  test.each(counted)("takes work that grows linearly with its text: $name", ({ name, kinds }) => {
    const own = all.filter((one) => one.name === name);
    expect(own.map(({ kind }) => kind)).toEqual(kinds);
    expect(own.filter(({ few, many }) => many > Math.max(few, least) * most)).toEqual([]);
  });

  test("the steps of quadratic work are detected", () => {
    const { few, many } = all.find(({ name }) => name === "square") as Grown;
    expect(many / few).toBeGreaterThan(12);
  });
}
