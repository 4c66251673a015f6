import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { drawQrPng } from "../../../../server/src/assets/index.ts";
import { expectAccessible, screenshot } from "../../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../../server/test/support/dashboard/dashboard-app.ts";
import { editCode } from "../../../../server/test/support/desks/code-dialog.ts";
import { photo, pngBomb, poster } from "../../../../server/test/support/pictures/pictures.ts";

const dashboard = await dashboardApp();
const { look, say } = dashboard;
const timeLimit = 180_000;

const wechat = "wxp://f2f0AbCdEfGh1234567890-_xyzXYZ123456";
const alipay = "HTTPS://QR.ALIPAY.COM/FKX012345ABCDEFGHIJ";
const business = "https://payapp.wechatpay.cn/sjt/qr/AQFaBcD12eFgHiJkLmNo";
const fixed = "wxp://f2f1AbCdEfGh1234567890-_xyzXYZ123456";

type Row = [what: string, picture: () => Buffer | Promise<Buffer>, en: RegExp, zh: RegExp];
const refusedPictures: Row[] = [
  ["damaged", async () => (await photo(600, 400)).subarray(0, 9_000), /damaged or incomplete/, /已损坏或不完整/],
  // More than the browser itself opens, so it can't scale it down first.
  ["with too many pixels", () => pngBomb(40_000, false), /too large/, /像素过高/],
  ["without a code", () => photo(300, 300), /No QR code found/, /没有识别到二维码/],
  ["with two codes of the wallet", () => poster(wechat, `${wechat}2`), /several codes/, /多个可用的二维码/],
  ["of the other wallet", () => drawQrPng(alipay), /belongs to the other wallet/, /另一个钱包的收款码/],
  ["of one order", () => drawQrPng("weixin://wxpay/bizpayurl?pr=AbC123"), /for a single order/, /只对应一笔订单/],
  ["of a red packet", () => drawQrPng("wxhb://f2f0AbCdEfGh1234567890"), /opens a red packet/, /红包码/],
  ["of a payment", () => drawQrPng("134567890123456789"), /Never show it to anyone/, /切勿给任何人看/],
  ["of another page", () => drawQrPng("https://payapp.weixin.qq.com/materialqr/entry"), /doesn't receive money/, /不能收款/],
  ["of something else", () => drawQrPng("https://example.com"), /isn't a receiving code/, /不是收款码/],
  ["in HEIC", () => Buffer.from("00000018667479706865696300000000", "hex"), /HEIC/, /HEIC 图片/],
];
const refusedTexts: [text: string, en: RegExp, zh: RegExp][] = [
  ["1345 6789 0123 4567 89", /Never show it to anyone/, /切勿给任何人看/],
  ["https://payapp.weixin.qq.com/qr/AQFaBcD12?goto=x", /doesn't receive money/, /不能收款/],
];

describe(`in ${look.language}, on a phone: ${look.onPhone}`, () => {
  test(
    "each mistake with a code has its own explanation",
    async () => {
      const { page, dialog, give, paste, save } = await editCode(dashboard);
      const texts = new Set<string>();
      for (const [what, picture, en, zh] of refusedPictures) {
        await give(await picture());
        const alert = dialog.getByRole("alert");
        await expect.poll(() => alert.textContent(), { timeout: 20_000, message: what }).toMatch(look.language === "zh" ? zh : en);
        texts.add((await alert.textContent()) ?? "");
      }
      expect(texts.size).toBe(refusedPictures.length);
      await screenshot(page, `receiving-code-refused-${look.language}`);
      for (const [text, en, zh] of refusedTexts) {
        await paste(text);
        await save.click();
        await expect.poll(() => dialog.getByRole("alert").textContent(), { timeout: 20_000 }).toMatch(look.language === "zh" ? zh : en);
      }
    },
    timeLimit,
  );

  test(
    "the field for a pasted code says how codes of its wallet begin",
    async () => {
      const { page, dialog } = await editCode(dashboard);
      await dialog.getByText(say("Starts with wxp:// or https://", "以 wxp:// 或 https:// 开头"), { exact: true }).waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await page
        .getByRole("button", { name: say("Edit", "编辑") })
        .last()
        .click();
      await dialog.getByText(say("Starts with https://qr.alipay.com/", "以 https://qr.alipay.com/ 开头"), { exact: true }).waitFor();
    },
    timeLimit,
  );

  test(
    "a poster's own code is taken, a photo with too many pixels is scaled down, a business code and one with an amount are explained",
    async () => {
      const { page, dialog, open, give, paste, save, stored, complaints } = await editCode(dashboard);
      await give(await poster(alipay, wechat));
      await dialog.getByText(say("The image contains several codes.", "图片中有多个二维码")).waitFor();
      await expectAccessible(page);
      const large = await sharp(drawQrPng(wechat)).resize(5_400, 5_400, { kernel: "nearest" }).jpeg({ quality: 60 }).toBuffer();
      await give(large);
      await dialog.getByText(say("The image contains several codes.", "图片中有多个二维码")).waitFor({ state: "detached" });
      await dialog.getByText(wechat).waitFor();
      const add = dialog.getByRole("button", { name: say("Add rule", "添加规则") });
      await add.click();
      await dialog.getByLabel(say("Text", "文字"), { exact: true }).fill("微信红包");
      // An empty rule doesn't count.
      await add.click();
      await save.click();
      await dialog.waitFor({ state: "detached" });
      expect(await stored()).toMatchObject({ qr_payload: wechat, ignore_rules: [{ field: "type", text: "微信红包" }] });

      await open();
      await give(drawQrPng(business));
      await dialog.getByText(say("This is a business code.", "这是经营收款码")).waitFor();
      await screenshot(page, `receiving-code-business-${look.language}`);
      await save.click();
      await dialog.waitFor({ state: "detached" });
      await page.getByText(say("This is a business code.", "这是经营收款码")).waitFor();

      await open();
      await paste(` “${fixed}”\n`);
      await save.click();
      const anyway = dialog.getByLabel(say("Use it anyway", "仍然使用"));
      await anyway.waitFor();
      expect(await save.isDisabled()).toBe(true);
      await screenshot(page, `receiving-code-fixed-${look.language}`);
      await anyway.check();
      await save.click();
      await dialog.waitFor({ state: "detached" });
      expect(await stored()).toMatchObject({ qr_payload: fixed, code_kind: "fixed_amount" });
      // The one expected refusal: the question about the amount.
      expect(complaints.filter((line) => !line.includes("422"))).toEqual([]);
    },
    timeLimit,
  );
});
