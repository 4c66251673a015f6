import sharp, { type Sharp } from "sharp";
import { drawQrPng } from "#assets/draw-qr.ts";
import { noise } from "./pictures.ts";

/** Pictures of codes that are hard to read, by class: each made of one text and a degree from 1 (hard) to 3 (hardest). */
export type HardPicture = (text: string, degree: number) => Promise<Buffer>;

const side = 480;
const code = (text: string, size = side): Sharp =>
  sharp(drawQrPng(text)).resize(size, size, { kernel: "nearest" }).removeAlpha().toColourspace("srgb");
const jpeg = (picture: Sharp, quality = 85) => picture.jpeg({ quality }).toBuffer();
const solid = async (picture: Sharp) => sharp(await picture.png().toBuffer());

/** A shade over the picture, from one corner to the other. */
async function shaded(text: string, dark: number): Promise<Sharp> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><linearGradient id="g" x2="1" y2="1"><stop stop-opacity="0"/><stop offset="1" stop-opacity="${dark}"/></linearGradient><rect width="100%" height="100%" fill="url(#g)"/></svg>`;
  return solid(code(text).composite([{ input: Buffer.from(svg) }]));
}

async function withSvg(text: string, shapes: string): Promise<Sharp> {
  return solid(
    code(text).composite([
      { input: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">${shapes}</svg>`) },
    ]),
  );
}

/** Only dark modules, without a background: the screen behind them is white or black. */
async function cutOut(text: string, colour: number): Promise<Buffer> {
  const { data, info } = await code(text).greyscale().raw().toBuffer({ resolveWithObject: true });
  const pixels = Buffer.alloc(side * side * 4);
  for (let at = 0; at < side * side; at += 1) {
    pixels.fill(colour, at * 4, at * 4 + 3);
    pixels[at * 4 + 3] = (data[at * info.channels] ?? 255) < 128 ? 255 : 0;
  }
  return sharp(pixels, { raw: { width: side, height: side, channels: 4 } })
    .png()
    .toBuffer();
}

/** As a camera at an angle sees it: what is further up is smaller and closer together. */
export async function leaning(text: string, tilt: number): Promise<Sharp> {
  const { data, info } = await code(text).greyscale().raw().toBuffer({ resolveWithObject: true });
  const out = Buffer.alloc(side * side, 255);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const near = 1 - tilt * (1 - y / side);
      const fromX = Math.round((x - side / 2) / near + side / 2);
      const fromY = Math.round(side - (side - y) / near);
      const inside = fromX >= 0 && fromX < side && fromY >= 0 && fromY < side;
      if (inside) out[y * side + x] = data[(fromY * side + fromX) * info.channels] ?? 255;
    }
  }
  return sharp(out, { raw: { width: side, height: side, channels: 1 } });
}

const at = (degree: number, ...values: number[]) => values[degree - 1] ?? 0;

export const hardPictures: Readonly<Record<string, HardPicture>> = {
  "light modules on a transparent ground": (text, degree) => cutOut(text, at(degree, 255, 235, 200)),
  "grey modules on a transparent ground": (text, degree) => cutOut(text, at(degree, 90, 140, 190)),
  "blurred beyond its modules": async (text, degree) => jpeg(code(text).blur(at(degree, 4.5, 5.5, 6.5))),
  "shaken sideways": async (text, degree) =>
    jpeg(
      (await solid(code(text).resize(Math.round(side / at(degree, 9, 12, 15)), side, { fit: "fill" }))).resize(side, side, { fit: "fill" }),
    ),
  "in noise": async (text, degree) => {
    const grains = await noise(side, side, at(degree, 70, 90, 110))
      .png()
      .toBuffer();
    return jpeg((await solid(code(text).linear(0.5, 64))).composite([{ input: grains, blend: "overlay" }]), 70);
  },
  "in fine noise at full size": async (text, degree) => {
    const grains = await noise(1800, 1800, at(degree, 90, 120, 150))
      .png()
      .toBuffer();
    return jpeg((await solid(code(text, 1800).linear(0.35, 80))).composite([{ input: grains, blend: "soft-light" }]), 60);
  },
  "of hardly any contrast": async (text, degree) => jpeg(code(text).linear(at(degree, 0.06, 0.04, 0.025), 120), 92),
  "in a deep shadow": async (text, degree) => jpeg((await shaded(text, at(degree, 0.9, 0.95, 0.98))).blur(1.5)),
  "under a bright spot": async (text, degree) =>
    jpeg(
      await withSvg(
        text,
        `<radialGradient id="g"><stop stop-color="#fff"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient><circle cx="300" cy="300" r="${at(degree, 80, 100, 120)}" fill="url(#g)"/>`,
      ),
    ),
  "with stripes of a screen": async (text, degree) =>
    jpeg(
      (
        await withSvg(
          text,
          Array.from(
            { length: 120 },
            (_, line) => `<rect y="${line * 4}" width="${side}" height="${at(degree, 1, 1.5, 2)}" opacity="${at(degree, 0.6, 0.7, 0.8)}"/>`,
          ).join(""),
        )
      ).blur(0.7),
    ),
  "saved at the worst quality": async (text, degree) => jpeg(code(text, at(degree, 200, 170, 150)), at(degree, 4, 3, 2)),
  "shrunk to a stamp": async (text, degree) => jpeg(await solid(code(text).resize(at(degree, 74, 62, 56))), 80),
  "shrunk, then blown up": async (text, degree) =>
    jpeg((await solid(code(text).resize(at(degree, 74, 62, 56)))).resize(side, side, { kernel: "cubic" }), 80),
  "at a steep angle": async (text, degree) => jpeg((await leaning(text, at(degree, 0.55, 0.62, 0.68))).blur(0.8)),
  "with a large picture in its middle": async (text, degree) =>
    jpeg(
      await withSvg(
        text,
        `<rect x="${240 - at(degree, 65, 75, 85)}" y="${240 - at(degree, 65, 75, 85)}" width="${2 * at(degree, 65, 75, 85)}" height="${2 * at(degree, 65, 75, 85)}" rx="16" fill="#1aad19"/>`,
      ),
    ),
  "in colours of equal brightness": async (text, degree) => {
    const { data, info } = await code(text).greyscale().raw().toBuffer({ resolveWithObject: true });
    const pixels = Buffer.alloc(side * side * 3);
    const lift = at(degree, 30, 20, 12);
    for (let pixel = 0; pixel < side * side; pixel += 1) {
      const dark = (data[pixel * info.channels] ?? 255) < 128;
      pixels.set(dark ? [200, 60, 60] : [60 + lift, 120 + lift, 160 + lift], pixel * 3);
    }
    return jpeg(sharp(pixels, { raw: { width: side, height: side, channels: 3 } }), 85);
  },
  "sharpened far too much": async (text, degree) =>
    jpeg((await solid(code(text).blur(3))).sharpen({ sigma: at(degree, 6, 8, 10), m1: 40, m2: 60 }), 60),
};
