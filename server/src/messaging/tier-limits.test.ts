import { expect, test } from "vitest";
import { channels } from "#app/channels.ts";
import { readTierLimits } from "./tier-limits.ts";

test("the tiers are those of the interface, free a fifth of starter", () => {
  const { free, starter, pro, enterprise } = readTierLimits(channels, []);
  expect([starter["emails"], pro["emails"], enterprise["emails"]]).toEqual([100, 1_000, 10_000]);
  expect([starter.reads, pro.reads, enterprise.reads]).toEqual([500, 2_000, 20_000]);
  expect([starter["sms"], pro["sms"], enterprise["sms"], starter["calls"], pro["calls"], enterprise["calls"]]).toEqual([
    50, 500, 5_000, 10, 100, 1_000,
  ]);
  expect([free.general, starter.general, pro.general, free.burst, starter.burst, pro.burst]).toEqual([100, 500, 1_000, 20, 100, 200]);
  for (const [name, number] of Object.entries(free)) expect(number * 5).toBe(starter[name]);
});

test("the operator changes single numbers", () => {
  const tiers = readTierLimits(channels, ["enterprise.general=25000", "enterprise.burst=4000", "free.emails=5"]);
  expect(tiers.enterprise).toMatchObject({ general: 25_000, burst: 4_000, emails: 10_000 });
  expect(tiers.free).toMatchObject({ emails: 5, reads: 100 });
  for (const wrong of ["gold.general=1", "free.nothing=1", "free.emails=0", "free.emails", "free.emails=-1", "toString.emails=1"]) {
    expect(() => readTierLimits(channels, [wrong])).toThrow("not a limit of a tier");
  }
});
