import { expect } from "vitest";
import {
  type BuyerLook,
  begin,
  chooseGateway,
  countPayments,
  expectPaid,
  expectPaidOnce,
  payAndReturn,
  press,
  reachProvider,
  type Street,
  type Walk,
} from "./gateway-journeys.ts";

type WalkThrough = (street: Street, walk: Walk) => Promise<void>;

/** Ways in which buyers pay through a gateway; each ends with an order that is paid once. */
export const walks: Readonly<Record<string, WalkThrough>> = {
  "from the link to the gateway's page to paid": async (_street, walk) => {
    await chooseGateway(walk);
    await payAndReturn(walk, await reachProvider(walk));
  },

  "given up at the gateway, back, and paid the second time": async (_street, walk) => {
    await chooseGateway(walk);
    const provider = await reachProvider(walk);
    await abandon(walk, provider);
    await goAgain(walk);
    await payAndReturn(walk, await reachProvider(walk));
  },

  "the same tapped again and again: one payment": async (street, walk) => {
    await chooseGateway(walk);
    const first = await reachProvider(walk);
    if (first === walk.page) await walk.page.goto(walk.link);
    else await first.close();
    await goAgain(walk);
    const provider = await reachProvider(walk);
    if (provider === walk.page) {
      await walk.page.goto(walk.link);
      await goAgain(walk);
    }
    await payAndReturn(walk, provider === walk.page ? await reachProvider(walk) : provider);
    expect(await countPayments(street, walk)).toBe(1);
  },

  "the browser's back button, before and after": async (_street, walk) => {
    await chooseGateway(walk);
    const provider = await reachProvider(walk);
    if (provider === walk.page) {
      await walk.page.goBack();
      await goAgain(walk);
      await reachProvider(walk);
    }
    await payAndReturn(walk, provider);
    // With a code the buyer never left the page: there is nothing to go back to.
    if (provider !== walk.page) return;
    await walk.page.goBack();
    if (/\/simulator\//.test(walk.page.url())) {
      // What is left there can't be paid again.
      expect(await walk.page.getByRole("button", { name: walk.there.outcomes.paid, exact: true }).count()).toBe(0);
      await walk.page.goto(walk.link);
    }
    await expectPaid(walk);
  },

  "a second tab, which follows by itself": async (_street, walk) => {
    const second = await walk.page.context().newPage();
    await second.goto(walk.link);
    await chooseGateway(walk);
    const provider = await reachProvider(walk);
    await second.locator("[data-state=pay]").waitFor();
    await payAndReturn(walk, provider);
    await expectPaid({ page: second, words: walk.words });
    await second.close();
  },

  "the gateway's page closed half-way, and the link opened anew": async (_street, walk) => {
    await chooseGateway(walk);
    const provider = await reachProvider(walk);
    const context = walk.page.context();
    await provider.close();
    if (provider === walk.page) walk.page = await context.newPage();
    await walk.page.goto(walk.link);
    await goAgain(walk);
    await payAndReturn(walk, await reachProvider(walk));
  },
};

/** With the provider's own back button if there is one; otherwise like a buyer who gives up. */
async function abandon({ page, there, link }: Walk, provider: Walk["page"]): Promise<void> {
  const cancel = provider.getByRole("button", { name: there.outcomes.canceled, exact: true });
  if ((await cancel.count()) > 0) {
    await press(provider, there.outcomes.canceled);
  }
  if (provider !== page) await provider.close();
  else if (/\/simulator\//.test(page.url())) await page.goto(link);
}

/** Continues from the pay page to the same gateway: with the button of the open payment, or by choosing it again if it ended. */
async function goAgain(walk: Walk): Promise<void> {
  const { page, gateway } = walk;
  const code = page.locator("a[target=_blank][href*='/simulator/']");
  const way = page.locator(`button[name=gateway][value=${gateway}]:visible`);
  await code.or(way).first().waitFor();
  if ((await code.count()) === 0) await way.click();
}

/** One walk through one gateway, until the order is paid. */
export async function walkThrough(
  street: Street,
  { name, gateway, look }: { name: string; gateway: string; look: BuyerLook },
): Promise<Walk> {
  const through = walks[name];
  if (through === undefined) throw new Error(`there is no way ${name}`);
  const walk = await begin(street, gateway, look);
  await through(street, walk);
  await expectPaidOnce(street, walk);
  return walk;
}
