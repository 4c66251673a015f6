import { test } from "vitest";
import { wechatBuyers } from "#test/support/buyers/wechat-buyers.ts";
import { wechatWalks } from "#test/support/buyers/wechat-walks.ts";

const buyers = await wechatBuyers();

/** The long form has all walks, in both languages. */
test("in WeChat, a buyer pays with a tap, also after closing the cashier, and sees that it is paid, in zh", async () => {
  await wechatWalks["a buyer pays with a tap, also after closing the cashier, and sees that it is paid"](buyers, "zh");
});
