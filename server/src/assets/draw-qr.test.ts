import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { readCodes } from "#test/support/pictures/pictures.ts";
import { variantsOf } from "#test/support/run/short-form.ts";
import { drawQrPng, drawQrSvg } from "./draw-qr.ts";

const texts = {
  "a WeChat code": "wxp://f2f0AbCdEfGh1234567890-_xyzXYZ123456",
  "an Alipay code in capitals": "HTTPS://QR.ALIPAY.COM/FKX012345ABCDEFGHIJ",
  "an Alipay code with a query": "https://qr.alipay.com/fkx012345abcdefghijk?t=1700000000000",
  "a long code": `https://payapp.weixin.qq.com/qr/${"aZ9-".repeat(70)}`,
};

for (const [place, [what, text]] of Object.entries(texts).entries()) {
  describe(what, () => {
    const drawings = { plain: {}, "with the TEST band": { test: true } };
    for (const [how, drawing] of variantsOf(Object.entries(drawings), place)) {
      test(`drawn ${how}, is read back exactly from the PNG and from the SVG`, async () => {
        expect(await readCodes(drawQrPng(text, drawing))).toEqual([text]);
        expect(
          await readCodes(
            await sharp(Buffer.from(drawQrSvg(text, drawing)), { density: 300 })
              .png()
              .toBuffer(),
          ),
        ).toEqual([text]);
      });
    }
  });
}

test("text that would break out of the SVG stays inside the code", () => {
  expect(drawQrSvg(`"/><script>alert(1)</script>`)).not.toContain("script");
});

test("nothing is drawn in the quiet zone around the code", async () => {
  const { data, info } = await sharp(drawQrPng(texts["a WeChat code"])).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const quiet = 4 * 12;
  const inked = (x: number, y: number) => data[(y * info.width + x) * info.channels] !== 255;
  const border = Array.from({ length: info.width }, (_, at) => at).flatMap((at) =>
    [0, quiet - 1, info.width - quiet, info.width - 1].map((edge) => [at, edge] as const),
  );
  expect(border.filter(([x, y]) => inked(x, y) || inked(y, x))).toEqual([]);
});
