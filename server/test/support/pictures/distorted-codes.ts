import sharp, { type Sharp } from "sharp";
import { drawQrPng } from "#assets/draw-qr.ts";
import { leaning } from "./hard-pictures.ts";
import { noise } from "./pictures.ts";

export const wechat = "wxp://f2f0AbCdEfGh1234567890-_xyzXYZ123456";
export const alipay = "HTTPS://QR.ALIPAY.COM/FKX012345ABCDEFGHIJ";

export const code = (text: string, side = 360): Sharp => sharp(drawQrPng(text)).resize(side, side, { kernel: "nearest" });
export const flat = (picture: Sharp) => picture.jpeg({ quality: 90 }).toBuffer();

interface PrintedCode {
  text: string;
  side: number;
  left: number;
  top: number;
}

/** The codes printed on a photo of something else, whose sides are multiples of eight. */
export async function onPhoto(width: number, height: number, codes: PrintedCode[]): Promise<Buffer> {
  const printed = await Promise.all(
    codes.map(async ({ text, side, left, top }) => ({ input: await code(text, side).png().toBuffer(), left, top })),
  );
  const ground = await noise(width / 8, height / 8, 25)
    .png()
    .toBuffer();
  return sharp(ground).resize(width, height, { kernel: "linear" }).composite(printed).jpeg({ quality: 80 }).toBuffer();
}

type Distortions = Readonly<Record<string, () => Promise<Buffer>>>;

/** The code `wechat`, as customers' pictures show it. */
export const distortions: Distortions = {
  "turned by 45°": () => flat(code(wechat).rotate(45, { background: "#ddd" })),
  mirrored: () => flat(code(wechat).flop()),
  "seen at a steep angle": async () => flat(await leaning(wechat, 0.5)),
  "of low contrast": () => flat(code(wechat).linear(0.15, 110)),
  inverted: () => flat(code(wechat).negate({ alpha: false })),
  "80 pixels small": () => flat(code(wechat, 123)),
  "on a transparent ground": () => code(wechat).ensureAlpha(0.999).png().toBuffer(),
  "marked as lying on its side": () => code(wechat).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
};

/** Milder ones, and what takes seconds: a blurred code, and large photos. */
export const furtherDistortions: Distortions = {
  "turned by 7°": () => flat(code(wechat).rotate(7, { background: "#ddd" })),
  "turned upside down": () => flat(code(wechat).rotate(180)),
  sheared: () => flat(code(wechat).affine([1, 0.25, 0.1, 1], { background: "#fff" })),
  "seen at an angle": async () => flat(await leaning(wechat, 0.3)),
  noisy: async () => flat(code(wechat).composite([{ input: await noise(360, 360, 60).png().toBuffer(), blend: "soft-light" }])),
  "saved at quality 10": () => code(wechat).jpeg({ quality: 10 }).toBuffer(),
  "as WebP": () => code(wechat).webp({ quality: 60 }).toBuffer(),
  blurred: () => flat(code(wechat).blur(4)),
  // The small tiles end at 700 and 1067 pixels from the left, and at 700 from the top.
  "across the seams of tiles": () => onPhoto(4000, 1096, [{ text: wechat, side: 150, left: 990, top: 620 }]),
  "small in a photo of 12 megapixels": () => onPhoto(4000, 3000, [{ text: wechat, side: 150, left: 3100, top: 2200 }]),
  "large in a photo that is larger than the first look": () => onPhoto(2400, 1800, [{ text: wechat, side: 1440, left: 420, top: 180 }]),
};
