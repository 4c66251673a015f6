import { expect, it } from "vitest";
import { localEgress } from "./certificate.ts";
import { house } from "./house.ts";
import { poisonJob } from "./poison-job.ts";

const home = await house({ egress: await localEgress() });

it("sets aside a delivery that kills its workers while three hundred others go on", async () => {
  const { killed, delivered, setAside, poison } = await poisonJob(home, 300);
  expect(setAside).toEqual([poison]);
  expect(delivered).toBe(300);
  expect(killed).toBeLessThanOrEqual(3);
});
