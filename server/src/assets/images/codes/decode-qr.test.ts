import sharp, { type Sharp } from "sharp";
import { expect, test } from "vitest";
import { leaning } from "#test/support/pictures/hard-pictures.ts";
import { noise, readCodes } from "#test/support/pictures/pictures.ts";
import { drawQrPng } from "../../draw-qr.ts";
import { decodeQr } from "./decode-qr.ts";
import { greyOf } from "./look-again.ts";

const wechat = "wxp://f2f0AbCdEfGh1234567890-_xyzXYZ123456";
const alipay = "HTTPS://QR.ALIPAY.COM/FKX012345ABCDEFGHIJ";

const code = (text: string, side = 360): Sharp => sharp(drawQrPng(text)).resize(side, side, { kernel: "nearest" });
const flat = (picture: Sharp) => picture.jpeg({ quality: 90 }).toBuffer();

/** The code printed on a photo of something else. */
async function onPhoto(width: number, height: number, codes: { text: string; side: number; left: number; top: number }[]): Promise<Buffer> {
  const printed = await Promise.all(
    codes.map(async ({ text, side, left, top }) => ({ input: await code(text, side).png().toBuffer(), left, top })),
  );
  const ground = await noise(width / 8, height / 8, 25)
    .png()
    .toBuffer();
  return sharp(ground).resize(width, height, { kernel: "linear" }).composite(printed).jpeg({ quality: 80 }).toBuffer();
}

const distortions: Record<string, () => Promise<Buffer>> = {
  blurred: () => flat(code(wechat).blur(4)),
  "turned by 7°": () => flat(code(wechat).rotate(7, { background: "#ddd" })),
  "turned by 45°": () => flat(code(wechat).rotate(45, { background: "#ddd" })),
  "turned upside down": () => flat(code(wechat).rotate(180)),
  mirrored: () => flat(code(wechat).flop()),
  sheared: () => flat(code(wechat).affine([1, 0.25, 0.1, 1], { background: "#fff" })),
  "seen at an angle": async () => flat(await leaning(wechat, 0.3)),
  "seen at a steep angle": async () => flat(await leaning(wechat, 0.5)),
  noisy: async () => flat(code(wechat).composite([{ input: await noise(360, 360, 60).png().toBuffer(), blend: "soft-light" }])),
  "of low contrast": () => flat(code(wechat).linear(0.15, 110)),
  inverted: () => flat(code(wechat).negate({ alpha: false })),
  "saved at quality 10": () => code(wechat).jpeg({ quality: 10 }).toBuffer(),
  "80 pixels small": () => flat(code(wechat, 123)),
  "on a transparent ground": () => code(wechat).ensureAlpha(0.999).png().toBuffer(),
  "as WebP": () => code(wechat).webp({ quality: 60 }).toBuffer(),
  "marked as lying on its side": () => code(wechat).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
  "small in a photo of 12 megapixels": () => onPhoto(4000, 3000, [{ text: wechat, side: 150, left: 3100, top: 2200 }]),
  // The small tiles end at 700 and 1067 pixels from the left, and at 700 from the top.
  "across the seams of tiles": () => onPhoto(4000, 1096, [{ text: wechat, side: 150, left: 990, top: 620 }]),
  "large in a photo that is larger than the first look": () => onPhoto(2400, 1800, [{ text: wechat, side: 1440, left: 420, top: 180 }]),
};
for (const [how, make] of Object.entries(distortions)) {
  test(`reads a code ${how}`, async () => {
    expect(await readCodes(await make())).toEqual([wechat]);
  });
}

test.each<[string, { easy: string[]; again: string[][] }, { sizes: (number | null)[]; looks: number; found: string[] }]>([
  [
    "nothing but the first look where that finds a code",
    { easy: [wechat], again: [[alipay]] },
    { sizes: [1600], looks: 0, found: [wechat] },
  ],
  [
    "the next look only while nothing is found",
    { easy: [], again: [[], [wechat], [alipay]] },
    { sizes: [1600], looks: 2, found: [wechat] },
  ],
  ["every look where there is nothing", { easy: [], again: [[], []] }, { sizes: [1600], looks: 2, found: [] }],
])("takes %s", async (_what, { easy, again }, { sizes, looks, found }) => {
  const drawn = { sizes: [] as (number | null)[], looks: 0 };
  const read = await decodeQr({
    grey: (side) => {
      drawn.sizes.push(side);
      return greyWith(easy);
    },
    *again() {
      for (const texts of again) {
        drawn.looks += 1;
        yield { grey: () => greyWith(texts) };
      }
    },
  });
  expect([read, drawn]).toEqual([found, { sizes, looks }]);
});

function greyWith(texts: string[]) {
  const [text] = texts;
  return greyOf(text === undefined ? sharp({ create: { width: 360, height: 360, channels: 3, background: "#fff" } }) : code(text));
}

test("preserves capitals as printed", async () => {
  expect(await readCodes(await flat(code(alipay)))).toEqual([alipay]);
});

test("reports both codes if they differ", async () => {
  const both = await onPhoto(600, 400, [
    { text: wechat, side: 200, left: 50, top: 100 },
    { text: alipay, side: 200, left: 350, top: 100 },
  ]);
  expect((await readCodes(both))?.sort()).toEqual([alipay, wechat].sort());
});

test("treats one code printed twice as one", async () => {
  const twice = await onPhoto(600, 400, [
    { text: wechat, side: 200, left: 50, top: 100 },
    { text: wechat, side: 160, left: 350, top: 100 },
  ]);
  expect(await readCodes(twice)).toEqual([wechat]);
});

test("finds nothing without a code", async () => {
  expect(await readCodes(await onPhoto(600, 400, []))).toEqual([]);
});
