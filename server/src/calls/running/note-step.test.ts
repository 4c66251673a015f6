import { expect, test } from "vitest";
import type { CallStep } from "../shapes.ts";
import { noteStep, stepLimits } from "./note-step.ts";

const { most, characters } = stepLimits;
const say = { verb: "say", text: "a", url: null, name: null, digits: null } as const;
const long = { ...say, text: "a".repeat(characters / 20) };

test.each([
  ["as many as are kept", say, most],
  ["as much text as is kept", long, 20],
])("a call that continues for hours retains %s of its steps, the first ones", (_name, step, count) => {
  const steps: CallStep[] = [];
  const note = noteStep(steps, () => new Date(0));
  for (let count = 0; count < most + 10; count += 1) note({ ...step, name: String(count) });
  expect(steps.map(({ name }) => name)).toEqual(Array.from({ length: count }, (_none, place) => String(place)));
});
