import { defineWords, languages } from "#platform/index.ts";

const notice = defineWords({
  en: "A personal receiving code is meant for payments in person. Rules in force in China since March 1, 2022 don't allow personal static codes for remote or business collection, payers are limited to small daily amounts, and the wallets may restrict accounts that often receive remote payments. Use a merchant code or a payment gateway where you can. The wallet doesn't report payments: check each one in your own account, and don't rely on screenshots as proof.",
  zh: "个人收款码用于面对面收款。自 2022 年 3 月 1 日起，个人静态收款码不得用于远程非面对面收款，有明显经营活动的应使用商户收款码；付款人每日限额较低，频繁的远程收款可能触发微信或支付宝的风控。请尽量改用商户收款码或支付网关。钱包不会回传到账结果：请逐笔核对自己的账户，付款截图不能作为到账凭证。",
});

/** The notice that people must read before they set up a personal code, by language. */
export const personalCodeNotice: Readonly<Record<string, string>> = Object.fromEntries(
  languages.map(({ html, tag }) => [html, notice[tag]]),
);
