import { it } from "vitest";
import { phoneBuyers } from "#test/support/buyers/phone-buyers.ts";
import { chinese, whatIsSaid } from "#test/support/buyers/what-is-said.ts";

const buyers = await phoneBuyers();

it.each(whatIsSaid)("%s, in Chinese", async (_what, check) => {
  await check(buyers, chinese);
});
