import { randomInt } from "node:crypto";
import { test } from "vitest";
import { gatewayNames } from "#test/support/gateways/simulated/demo-shop.ts";
import { openStreet } from "#test/support/gateways/simulated/gateway-journeys.ts";
import { walkThrough } from "#test/support/gateways/simulated/gateway-walks.ts";

const street = await openStreet();

/** Through one gateway the way that could pay twice. */
const [twice = "", ...straight] = gatewayNames;
const half = randomInt(2);
/** The straight way through half of the others, the rest in another run; the long form has all ways, languages and devices. */
const chosen = [
  { gateway: twice, name: "the same tapped again and again: one payment" },
  ...straight
    .filter((_gateway, place) => place % 2 === half)
    .map((gateway) => ({ gateway, name: "from the link to the gateway's page to paid" })),
];

test.each(chosen)("$gateway: $name", async ({ gateway, name }) => {
  await walkThrough(street, { gateway, name, look: { lang: "en", device: "phone" } });
});
