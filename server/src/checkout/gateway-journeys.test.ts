import { expect, test } from "vitest";
import { gatewayNames } from "#test/support/gateways/simulated/demo-shop.ts";
import { type BuyerLook, openStreet } from "#test/support/gateways/simulated/gateway-journeys.ts";
import { walks, walkThrough } from "#test/support/gateways/simulated/gateway-walks.ts";

const street = await openStreet();
const names = Object.keys(walks);
const looks: BuyerLook[] = [
  { lang: "en", device: "phone" },
  { lang: "zh", device: "desktop" },
  { lang: "zh", device: "phone" },
  { lang: "en", device: "desktop" },
];

/** One way each, so that all ways, both languages and both devices come up; the long form walks all of them with all. */
const chosen = gatewayNames.map((gateway, index) => ({
  gateway,
  name: names[(index + 1) % names.length] ?? "",
  look: looks[index % looks.length] as BuyerLook,
}));

test.each(chosen)("$gateway ($look.lang, $look.device): $name", async (given) => {
  await walkThrough(street, given);
});

test("all walks, languages and devices are included", () => {
  expect(new Set(chosen.map(({ name }) => name))).toEqual(new Set(names));
  expect(new Set(chosen.map(({ look }) => look))).toEqual(new Set(looks));
});
