import { describe, expect, test } from "vitest";
import { languages } from "#platform/index.ts";
import { expectAccessible, screenshot } from "#test/support/browser/browser.ts";
import { gatewayNames } from "#test/support/gateways/simulated/demo-shop.ts";
import {
  type BuyerLook,
  begin,
  chooseGateway,
  openStreet,
  payAndReturn,
  reachProvider,
} from "#test/support/gateways/simulated/gateway-journeys.ts";
import { walks, walkThrough } from "#test/support/gateways/simulated/gateway-walks.ts";

const street = await openStreet();
const looks: BuyerLook[] = languages.flatMap(({ tag: lang }) => (["phone", "desktop"] as const).map((device) => ({ lang, device })));

describe.each(gatewayNames)("%s", (gateway) => {
  describe.each(looks)("$lang, $device", (look) => {
    test.each(Object.keys(walks))("%s", async (name) => {
      await walkThrough(street, { name, gateway, look });
    });

    test("every page on the way is accessible and fits", async () => {
      const walk = await begin(street, gateway, look);
      const looked = async (step: string, page = walk.page) => {
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), `${step} is wider than the screen`).toBe(true);
        await expectAccessible(page);
        await screenshot(page, `gateway-${gateway}-${step}-${look.lang}-${look.device}`);
      };
      await looked("1-choose");
      await chooseGateway(walk);
      const provider = await reachProvider(walk);
      if (provider !== walk.page) await looked("2-code");
      await looked("3-provider", provider);
      await provider.locator("summary").click();
      await looked("4-outcomes", provider);
      await payAndReturn(walk, provider);
      await looked("5-paid");
    });
  });
});
