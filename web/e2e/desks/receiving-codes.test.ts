import { expect, test } from "vitest";
import { drawQrPng } from "../../../server/src/assets/index.ts";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { editCode } from "../../../server/test/support/desks/code-dialog.ts";
import { poster } from "../../../server/test/support/pictures/pictures.ts";

const dashboard = await dashboardApp();
const { say } = dashboard;

const wechat = "wxp://f2f0AbCdEfGh1234567890-_xyzXYZ123456";
const alipay = "HTTPS://QR.ALIPAY.COM/FKX012345ABCDEFGHIJ";
const fixed = "wxp://f2f1AbCdEfGh1234567890-_xyzXYZ123456";

test("another wallet's code is explained, a poster's own one is found, and one with an amount is only taken after a question", async () => {
  const { page, dialog, give, paste, save, stored, complaints } = await editCode(dashboard);
  await give(drawQrPng(alipay));
  await dialog
    .getByRole("alert")
    .filter({ hasText: say("belongs to the other wallet", "另一个钱包的收款码") })
    .waitFor();
  await give(await poster(alipay, wechat));
  await dialog.getByText(say("The image contains several codes.", "图片中有多个二维码")).waitFor();
  await dialog.getByText(wechat).waitFor();
  await expectAccessible(page);
  await paste(` “${fixed}”\n`);
  await save.click();
  const anyway = dialog.getByLabel(say("Use it anyway", "仍然使用"));
  await anyway.waitFor();
  expect(await save.isDisabled()).toBe(true);
  await anyway.check();
  await save.click();
  await dialog.waitFor({ state: "detached" });
  expect(await stored()).toMatchObject({ qr_payload: fixed, code_kind: "fixed_amount" });
  // The one expected refusal: the question about the amount.
  expect(complaints.filter((line) => !line.includes("422"))).toEqual([]);
}, 180_000);
