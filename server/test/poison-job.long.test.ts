import { expect, it } from "vitest";
import { localEgress } from "./certificate.ts";
import { house } from "./house.ts";
import { poisonJob } from "./poison-job.ts";

const home = await house({ egress: await localEgress() });

it("sets aside a delivery that kills its workers while ten thousand others go on", { timeout: 900_000 }, async () => {
  const { killed, delivered, setAside, poison } = await poisonJob(home, 10_000);
  console.log(`poison job: ${killed} workers killed, ${delivered} delivered`);
  expect(setAside).toEqual([poison]);
  expect(delivered).toBe(10_000);
  expect(killed).toBeLessThanOrEqual(3);
});
