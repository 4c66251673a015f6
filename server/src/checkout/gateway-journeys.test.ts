import { test } from "vitest";
import { gatewayNames } from "#test/support/gateways/simulated/demo-shop.ts";
import { openStreet } from "#test/support/gateways/simulated/gateway-journeys.ts";
import { walkThrough } from "#test/support/gateways/simulated/gateway-walks.ts";

const street = await openStreet();

/** The straight way through each gateway, and the one that could pay twice; the long form has all ways, languages and devices. */
const chosen = gatewayNames.map((gateway, index) => ({
  gateway,
  name: index === 0 ? "the same tapped again and again: one payment" : "from the link to the gateway's page to paid",
}));

test.each(chosen)("$gateway: $name", async ({ gateway, name }) => {
  await walkThrough(street, { gateway, name, look: { lang: "en", device: "phone" } });
});
