import { expect, test } from "vitest";
import { processEnvironment } from "#app/config.ts";
import { house } from "../house.ts";
import { fuzz, withoutLimits } from "./fuzz.ts";

const home = await house({ http: withoutLimits });
const seed = Number(processEnvironment()["FUZZ_SEED"] ?? Date.now() % 1_000_000);

test("answers 100 000 malformed requests without a 500 and without a hang", async () => {
  const before = process.memoryUsage().rss;
  const { findings, statuses, slowestMs } = await fuzz(home, { seed, count: 100_000 });
  const grownMb = Math.round((process.memoryUsage().rss - before) / 1e6);
  console.log(
    `FUZZ_SEED=${seed}: ${[...statuses]
      .sort()
      .map(([status, count]) => `${count} × ${status}`)
      .join(", ")}; slowest ${Math.round(slowestMs)} ms; memory grew by ${grownMb} MB`,
  );
  expect(findings).toEqual([]);
});
