import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, expect, test } from "vitest";
import { processEnvironment } from "#app/config.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { worldGateways } from "../world.ts";
import { fuzz, openTarget, withoutLimits } from "./fuzz.ts";

const target = await openTarget(await testApp({ gateways: worldGateways, http: withoutLimits }));
afterAll(() => target.close());
const seed = Number(processEnvironment()["FUZZ_SEED"] ?? Date.now() % 1_000_000);

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const heapMb = () => {
  collect();
  return process.memoryUsage().heapUsed / 1e6;
};

test("answers 100 000 malformed requests without a 500, without a hang and without retaining their memory", async () => {
  await fuzz(target, { seed: seed + 1, count: 10_000 });
  const before = heapMb();
  const { findings, statuses, busiestMs } = await fuzz(target, { seed, count: 100_000 });
  const grownMb = heapMb() - before;
  const counts = [...statuses].sort().map(([status, count]) => `${count} × ${status}`);
  console.log(`FUZZ_SEED=${seed}: ${counts.join(", ")}; busiest ${Math.round(busiestMs)} ms; heap grew by ${grownMb.toFixed(1)} MB`);
  expect(findings).toEqual([]);
  expect(grownMb).toBeLessThan(30);
});
