import { openDashboard } from "#test/support/dashboard/dashboard.ts";
import type { DashboardApp } from "#test/support/dashboard/dashboard-app.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import { visitor } from "#test/support/people/visitors.ts";

/** The dialog of a shop's WeChat code, opened by its owner. */
export async function editCode({ app, browser, look, origin, say }: DashboardApp) {
  const { tenant } = await payShop(app);
  const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner" });
  const { page, complaints } = await openDashboard(browser, { origin, look, email: person.email });
  await page.goto(`${origin}/dashboard/codes`);
  const open = () =>
    page
      .getByRole("button", { name: say("Edit", "编辑") })
      .first()
      .click();
  await open();
  const dialog = page.getByRole("dialog");
  const give = (picture: Buffer) =>
    dialog.locator("input[type=file]").setInputFiles({ name: "code.png", mimeType: "image/png", buffer: picture });
  const paste = (text: string) => dialog.getByLabel(say("Or paste the code's text", "或粘贴收款码中的链接")).fill(text);
  const save = dialog.getByRole("button", { name: say("Save", "保存"), exact: true });
  const stored = async () => (await app.api(tenant.key).get(`/api/v1/projects/${tenant.project_id}/collection-profiles/wechat`)).body;
  return { page, dialog, open, give, paste, save, stored, complaints };
}
