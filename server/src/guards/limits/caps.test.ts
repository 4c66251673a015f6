import { expect, test } from "vitest";
import { effectiveCaps, readTierCaps, type SomeCaps } from "./caps.ts";
import { readPace } from "./pace.ts";

const tiers = readTierCaps([]);

test.each<[string, { verified?: boolean; own?: SomeCaps; operator?: SomeCaps }, SomeCaps]>([
  ["the tier's", {}, { daily_segments: 100, calls_at_once: 5 }],
  ["less where the owner wants less", { own: { daily_segments: 40 } }, { daily_segments: 40 }],
  ["never more because the owner wants more", { own: { daily_segments: 400 } }, { daily_segments: 100 }],
  ["more where the operator allows more", { operator: { daily_segments: 400 } }, { daily_segments: 400 }],
  ["the owner's less of the operator's more", { own: { daily_segments: 300 }, operator: { daily_segments: 400 } }, { daily_segments: 300 }],
  ["nothing at all, by either", { own: { daily_segments: 0 }, operator: { daily_minutes: 0 } }, { daily_segments: 0, daily_minutes: 0 }],
  [
    "a tenth of the tier's while the merchant isn't verified",
    { verified: false },
    { daily_segments: 10, daily_spend_micros: 1_000_000, calls_at_once: 1 },
  ],
  ["the operator's word even then", { verified: false, operator: { daily_segments: 100 } }, { daily_segments: 100 }],
  ["more calls at once than usual, by the operator", { operator: { calls_at_once: 60 } }, { calls_at_once: 60 }],
])("a project may take %s", (_name, { verified = true, own = {}, operator = {} }, caps) => {
  expect(effectiveCaps({ tier: tiers.free, verified, atOnce: 10, own, operator })).toMatchObject(caps);
});

test("a project never has more concurrent calls than the installation's usual number, whatever the tier", () => {
  expect(effectiveCaps({ tier: tiers.enterprise, verified: true, atOnce: 10, own: {}, operator: {} }).calls_at_once).toBe(10);
});

test("operators change caps of tiers and the pace by settings; invalid ones are refused", () => {
  expect(readTierCaps(["free.daily_segments=7"]).free).toMatchObject({ daily_segments: 7, daily_minutes: 100 });
  expect(readPace(["sms=3/60", "call=1/86400"])).toEqual({
    sms: [
      { count: 3, seconds: 60 },
      { count: 20, seconds: 86_400 },
    ],
    call: [
      { count: 2, seconds: 600 },
      { count: 1, seconds: 86_400 },
    ],
  });
  for (const wrong of ["gold.daily_segments=1", "free.segments=1", "free.daily_segments=-1", "free.daily_segments", "daily_segments=1"])
    expect(() => readTierCaps([wrong]), wrong).toThrow("not a cap of a tier");
  for (const wrong of ["fax=1/60", "sms=0/60", "sms=1/0", "sms=1", "sms=1/x"]) expect(() => readPace([wrong]), wrong).toThrow("not a pace");
});
