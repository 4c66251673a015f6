import { it } from "vitest";
import { chinese, whatIsSaid } from "#test/support/buyers/what-is-said.ts";
import { payPageApp } from "#test/support/payments/pay-page-app.ts";

const buyers = await payPageApp();

it.each(whatIsSaid)("%s, in Chinese", async (_what, check) => {
  await check(buyers, chinese);
});
