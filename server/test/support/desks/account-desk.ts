import type { Locator } from "playwright-core";
import { openDashboard } from "#test/support/dashboard/dashboard.ts";
import type { DashboardApp } from "#test/support/dashboard/dashboard-app.ts";
import { type ReceiptShop, receiptShops, shopCode } from "#test/support/payments/receipt-shop.ts";
import { visitor } from "#test/support/people/visitors.ts";

const matching = { mode: "unique_amount", max_offset_minor: 20 } as const;

/** LIVE projects of one merchant, each with a WeChat code, and the dialog of the last one's code in front of their owner. */
export function accountDesk({ app, browser, look, origin, say }: DashboardApp) {
  const shopWith = receiptShops(app);
  const account = (dialog: Locator) => dialog.getByRole("combobox", { name: say("Account", "收款账户"), exact: true });
  async function enter(shop: ReceiptShop) {
    const owner = await visitor(app, { merchant_id: shop.merchant_id });
    const { page, complaints } = await openDashboard(browser, { origin, look, email: owner.email });
    await page.goto(`${origin}/dashboard/${shop.project_id}/live/codes`);
    const edit = () => page.getByRole("button", { name: say("Edit", "编辑") }).click();
    await edit();
    const dialog = page.getByRole("dialog");
    return {
      ...{ page, complaints, dialog, edit },
      paste: (text: string) => dialog.getByLabel(say("Or paste the code's text", "或粘贴收款码中的链接")).fill(text),
      async choose(name: string) {
        await account(dialog).click();
        await page.getByRole("option", { name, exact: true }).click();
      },
      save: dialog.getByRole("button", { name: say("Save", "保存"), exact: true }),
      stored: async () => (await app.api(shop.key).get(`/api/v1/projects/${shop.project_id}/collection-profiles/wechat`)).body,
    };
  }
  return {
    account,
    newAccount: say("New account", "新账户"),
    open: async () => enter(await shopWith(matching, { tenant: { livemode: true } })),
    /** Two projects with a code each, so with an account each: `main` and `main-2`. */
    async openTwo() {
      const code = `${shopCode}Two`;
      const here = await shopWith(matching, { tenant: { livemode: true } });
      const there = await shopWith(matching, { qr_payload: code, tenant: { livemode: true, merchant_id: here.merchant_id } });
      return { here, there, code, ...(await enter(there)) };
    },
    /** What each project asks the buyer of one more order for. */
    async payablesOf(shops: readonly ReceiptShop[], price: number): Promise<number[]> {
      const payables: number[] = [];
      for (const shop of shops) payables.push((await shop.paying(price)).payable);
      return payables;
    },
  };
}
