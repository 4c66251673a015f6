import { describe, expect, test } from "vitest";
import { GatewayError } from "#gateways/index.ts";
import { stripeAmounts } from "./amounts.ts";
import { manifest } from "./manifest.ts";

describe("amounts", () => {
  test.each([
    [1_234, "EUR", 1_234],
    [500, "JPY", 500],
    [5, "ISK", 500],
    [5, "UGX", 500],
    [500, "MGA", 5],
    [5_120, "KWD", 5_120],
    [1_045, "HUF", 1_045],
    [80_045, "TWD", 80_045],
  ])("%i minor units of %s are Stripe's %i", (amount_minor, currency, wire) => {
    expect(stripeAmounts.minor({ amount_minor, currency })).toBe(wire);
    expect(stripeAmounts.ofMinor(wire, currency.toLowerCase())).toEqual({ amount_minor, currency });
  });

  test.each([
    [5_124, "KWD"],
    [550, "MGA"],
  ])("%i minor units of %s can't be written", (amount_minor, currency) => {
    expect(() => stripeAmounts.minor({ amount_minor, currency })).toThrow(GatewayError);
  });

  test.each(["EUR", "JPY", "ISK", "MGA", "KWD", "IDR", "HUF", "XOF"])(
    "the minimum and the maximum of %s can be written, with eight digits at most, twelve for rupiah",
    (currency) => {
      const { minMinor, maxMinor } = manifest.limits;
      expect(stripeAmounts.minor({ amount_minor: minMinor(currency), currency })).toBeGreaterThan(0);
      expect(
        String(stripeAmounts.minor({ amount_minor: Math.floor(maxMinor(currency) / 1_000) * 1_000, currency })).length,
      ).toBeLessThanOrEqual(currency === "IDR" ? 12 : 8);
      expect(maxMinor(currency)).toBeGreaterThan(minMinor(currency));
    },
  );
});
