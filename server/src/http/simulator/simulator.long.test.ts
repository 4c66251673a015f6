import { test } from "vitest";
import { gatewayNames } from "#test/support/gateways/simulated/demo-shop.ts";
import { expectSimulated, watchedShop } from "#test/support/gateways/simulated/first-payment.ts";

const shop = await watchedShop();

test.each(gatewayNames)("%s, without a setup in TEST, is simulated as soon as a payment uses it", (gateway) =>
  expectSimulated(shop, gateway),
);
