import { expect, test } from "vitest";
import { paidShop } from "#test/support/gateways/simulated/wechatpay-shop.ts";

/** More than a call may have arguments, and a little less than the largest bill that is read. */
const payments = 130_000;

test("a day with very many payments is listed completely", async () => {
  const shop = await paidShop();
  const key = `${shop.account.id}/${shop.request.reference}`;
  const transaction = await shop.world.documents.get<object>("transaction", key);
  for (let n = 1; n < payments; n += 1) await shop.world.documents.put("transaction", `${key}-${n}`, transaction ?? {});
  shop.world.pass(2 * 86_400);
  const span = { from: new Date("2026-11-19T16:00:00Z"), to: new Date("2026-11-20T16:00:00Z") };
  expect(await shop.account.listSettled?.(shop.call, span)).toHaveLength(payments);
});
