import { expect, test } from "vitest";
import { house } from "../house.ts";
import { fuzz, withoutLimits } from "./fuzz.ts";

const home = await house({ http: withoutLimits });

test("answers 10 000 malformed requests without a 500 and without a hang", { timeout: 120_000 }, async () => {
  const { findings, statuses } = await fuzz(home, { seed: 20_261_120, count: 10_000 });
  expect(findings).toEqual([]);
  // A fuzz that is refused at the door everywhere tests nothing.
  expect(statuses.get(200) ?? 0).toBeGreaterThan(500);
  expect(statuses.get(400) ?? 0).toBeGreaterThan(1_000);
});
