import sharp from "sharp";

/** A small picture that differs from those with other numbers. */
export function picture(n: number): Promise<Buffer> {
  const background = { r: n % 256, g: (n >> 8) % 256, b: 128 };
  return sharp({ create: { width: 120, height: 200, channels: 3, background, noise: { type: "gaussian", mean: 128, sigma: 40 } } })
    .png()
    .toBuffer();
}
