import { fork } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import type { Grown } from "./poison/count-steps.ts";
import { linearWork } from "./poison/linear-work.ts";

/** Four times the text may cost five times the work: a little more for tables that grow. A square costs sixteen times as much. */
const most = 5;
/** What any text costs, so that nearly nothing is not compared with nearly nothing. */
const least = 500;

const counting = fork(new URL("poison/count-steps.ts", import.meta.url), [String(most)], { execArgv: ["--disable-warning=ExperimentalWarning"] });
const [all] = (await once(counting, "message")) as [Grown[]];

test.each(linearWork.filter(({ byEngine }) => byEngine !== true))("takes work that grows as its text does: $name", ({ name, poisons }) => {
  const own = all.filter((one) => one.name === name);
  expect(own.map(({ kind }) => kind)).toEqual(Object.keys(poisons));
  expect(own.filter(({ few, many }) => many > Math.max(few, least) * most)).toEqual([]);
});

test("steps show a square where there is one", () => {
  const { few, many } = all.find(({ name }) => name === "square") as Grown;
  expect(many / few).toBeGreaterThan(12);
});
