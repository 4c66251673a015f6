import { createHash } from "node:crypto";
import sharp from "sharp";
import { expect } from "vitest";

/** Expects the stored bytes of an uploaded picture to be a plain JPEG as its asset says, without anything else of what was uploaded. */
export async function expectDrawnAgain(bytes: Buffer, asset: { width: number; height: number; sha256: string }): Promise<void> {
  const metadata = await sharp(bytes).metadata();
  expect(metadata).toMatchObject({
    format: "jpeg",
    space: "srgb",
    depth: "uchar",
    width: asset.width,
    height: asset.height,
  });
  expect([metadata.exif, metadata.icc, metadata.xmp, metadata.orientation]).toEqual([undefined, undefined, undefined, undefined]);
  expect(bytes.includes("script")).toBe(false);
  expect(bytes.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]));
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(asset.sha256);
}
