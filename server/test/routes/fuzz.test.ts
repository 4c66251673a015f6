import { afterAll, expect, test } from "vitest";
import { house } from "../house.ts";
import { fuzz, openTarget, withoutLimits } from "./fuzz.ts";

const target = await openTarget(await house({ http: withoutLimits }));
afterAll(() => target.close());

test("answers 4 000 malformed requests without a 500 and without a hang", async () => {
  const { findings, statuses } = await fuzz(target, { seed: 20_261_120, count: 4_000 });
  expect(findings).toEqual([]);
  // A fuzz that is refused at the door everywhere tests nothing.
  expect(statuses.get(200) ?? 0).toBeGreaterThan(200);
  expect(statuses.get(400) ?? 0).toBeGreaterThan(400);
});
