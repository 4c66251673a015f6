import type { Sharp, SharpOptions } from "sharp";
import type { Grey, SecondLook } from "./decode-qr.ts";

type SharpMaker = (input: Uint8Array, options?: SharpOptions) => Sharp;

const side = 1600;
const secondsMax = 20;

/**
 * The further attempts for a picture without a result, those that helped most first: softened against noise and stripes, smaller, with one
 * threshold, with stretched contrast, sharpened; then the original picture, on white and, if it is transparent, on black.
 */
export function* lookAgain(sharp: SharpMaker, small: Grey, original: Original): Iterable<SecondLook> {
  const again = () => sharp(small.data, { raw: { width: small.width, height: small.height, channels: 1 } });
  const grey = (picture: Sharp) => () => greyOf(picture);
  if (original.hasAlpha) yield { grey: grey(onGround(sharp, original, "#000000")) };
  yield { grey: grey(again().blur(1.2)) };
  yield { grey: grey(within(again(), 700)) };
  yield { grey: async () => small, plain: true };
  yield { grey: grey(again().blur(2.5)) };
  yield { grey: grey(within(again(), 350)) };
  yield { grey: grey(again().normalise()) };
  yield { grey: grey(again().sharpen({ sigma: 2, m1: 3, m2: 5 })) };
  yield { grey: grey(onGround(sharp, original, "#ffffff")) };
}

/** The original image, before it was re-encoded. */
export interface Original {
  bytes: Uint8Array;
  reading: SharpOptions;
  hasAlpha: boolean;
}

function onGround(sharp: SharpMaker, original: Original, background: string): Sharp {
  return within(sharp(original.bytes, original.reading).autoOrient().toColourspace("srgb").flatten({ background }), side);
}

function within(picture: Sharp, most: number): Sharp {
  return picture.resize(most, most, { fit: "inside", withoutEnlargement: true });
}

/** One byte per pixel. */
export async function greyOf(picture: Sharp): Promise<Grey> {
  const { data, info } = await picture
    .timeout({ seconds: secondsMax })
    .greyscale()
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { data: info.channels === 1 ? data : everyNth(data, info.channels), width: info.width, height: info.height };
}

function everyNth(data: Uint8Array, channels: number): Uint8Array {
  return Uint8Array.from({ length: data.length / channels }, (_, pixel) => data[pixel * channels] ?? 0);
}
