import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { drawQrPng } from "#assets/draw-qr.ts";
import type { PictureJob, PictureRead } from "#assets/images/reencode-picture.ts";
import { runPicture } from "#assets/images/run-picture.ts";
import { spoolUpload } from "#assets/images/spool-upload.ts";

/** Pictures for tests: ordinary ones, and what hostile uploaders send. */

/** A photo-like JPEG: colored noise, blurred. */
export function photo(width: number, height: number): Promise<Buffer> {
  return noise(width, height).blur(3).jpeg({ quality: 85 }).toBuffer();
}

/** A picture with too many pixels to make one by one: a small one, enlarged. A progressive one has to be decoded as a whole. */
export async function largePhoto(width: number, height: number, progressive = false): Promise<Buffer> {
  const small = await photo(Math.round(width / 10), Math.round(height / 10));
  return sharp(small).resize(width, height, { kernel: "linear" }).jpeg({ quality: 40, progressive }).toBuffer();
}

export function noise(width: number, height: number, sigma = 40) {
  return sharp({ create: { width, height, channels: 3, background: "#888", noise: { type: "gaussian", mean: 128, sigma } } });
}

/** Codes next to each other in one picture, as on the poster at a shop's till. */
export async function poster(...texts: string[]): Promise<Buffer> {
  const side = 400;
  const codes = await Promise.all(texts.map((text) => sharp(drawQrPng(text)).resize(side, side).png().toBuffer()));
  const placed = codes.map((input, index) => ({ input, left: index * 500, top: 0 }));
  return sharp({ create: { width: 500 * texts.length - 100, height: side, channels: 3, background: "#fff" } })
    .composite(placed)
    .jpeg()
    .toBuffer();
}

/** A one-bit PNG that claims `side` × `side` pixels; with `whole`, it really unpacks to them. */
export function pngBomb(side: number, whole: boolean): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([1, 0], 8);
  const row = Buffer.alloc(Math.ceil(side / 8) + 1);
  const pixels = whole ? Buffer.alloc(row.length * side) : row;
  return png([
    ["IHDR", header],
    ["IDAT", deflateSync(pixels)],
    ["IEND", Buffer.alloc(0)],
  ]);
}

/** A 1 × 1 PNG with a text or profile chunk that unpacks to `megabytes`. */
export function pngWithStuffedChunk(name: "zTXt" | "iCCP", megabytes: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(1, 0);
  header.writeUInt32BE(1, 4);
  header.set([8, 2], 8);
  const stuffing = Buffer.concat([Buffer.from("profile\0\0", "latin1"), deflateSync(Buffer.alloc(megabytes * 1024 * 1024, 65))]);
  return png([
    ["IHDR", header],
    [name, stuffing],
    ["IDAT", deflateSync(Buffer.from([0, 1, 2, 3]))],
    ["IEND", Buffer.alloc(0)],
  ]);
}

/** A JPEG whose frame header is rewritten to claim these sides. */
export function jpegClaiming(jpeg: Buffer, side: number): Buffer {
  const copy = Buffer.from(jpeg);
  const frame = copy.findIndex((byte, index) => byte === 0xff && (copy[index + 1] === 0xc0 || copy[index + 1] === 0xc2));
  copy.writeUInt16BE(side, frame + 5);
  copy.writeUInt16BE(side, frame + 7);
  return copy;
}

/** The wrong end index in the scan header that some Samsung phones write into sound photos. */
export function jpegOfSloppyPhone(jpeg: Buffer): Buffer {
  const copy = Buffer.from(jpeg);
  const scan = copy.indexOf(Buffer.from([0xff, 0xda]));
  const components = copy[scan + 4] ?? 0;
  copy[scan + 5 + 2 * components + 1] = 0;
  return copy;
}

/** An animation of `frames` different frames of 8 × 8 pixels. */
export function animatedWebp(frames: number): Promise<Buffer> {
  const raw = Buffer.alloc(8 * 8 * frames * 3);
  for (let frame = 0; frame < frames; frame += 1) raw.fill(frame % 251, frame * 192, (frame + 1) * 192);
  return sharp(raw, { raw: { width: 8, height: 8 * frames, channels: 3, pageHeight: 8 }, limitInputPixels: false })
    .webp({ effort: 0 })
    .toBuffer();
}

/** Refused because they aren't pictures, whatever their file names. */
export const notPictures: Record<string, Buffer> = {
  "SVG with script": Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`),
  "SVG that reads a file": Buffer.from(
    `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="file:///etc/passwd"/></svg>`,
  ),
  HTML: Buffer.from("<!doctype html><script>alert(1)</script>"),
  PHP: Buffer.from("<?php system($_GET['c']); ?>"),
  JavaScript: Buffer.from("alert(1)//"),
  GIF: Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64"),
  "TIFF, little end first": Buffer.from("49492a0008000000", "hex"),
  "TIFF, big end first": Buffer.from("4d4d002a00000008", "hex"),
  VIPS: Buffer.from("b6a6f20800000001000000010000000300000000", "hex"),
  HEIC: Buffer.from("00000018667479706865696300000000", "hex"),
  AVIF: Buffer.from("0000001c667479706176696600000000", "hex"),
  PDF: Buffer.from("%PDF-1.7\n"),
  ZIP: Buffer.from("504b0304", "hex"),
  nothing: Buffer.alloc(0),
};

function png(chunks: [string, Buffer][]): Buffer {
  const parts = chunks.map(([name, data]) => {
    const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
    const frame = Buffer.alloc(body.length + 8);
    frame.writeUInt32BE(data.length, 0);
    body.copy(frame, 4);
    frame.writeUInt32BE(crc32(body), body.length + 4);
    return frame;
  });
  return Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), ...parts]);
}

/** What a picture's codes say, read by the same process as uploads. */
export async function readCodes(picture: Buffer): Promise<string[] | null> {
  return (await readPicture(picture, { owner: "a test", decode: true, logoSide: null })).texts;
}

/** Reads a picture as an upload does, and retains nothing of it. */
export async function readPicture(picture: Buffer, how: Pick<PictureJob, "owner" | "decode" | "logoSide">): Promise<PictureRead> {
  const from = await spoolUpload(picture, 50_000_000);
  try {
    return (await runPicture({ ...how, from: from.path })).read;
  } finally {
    await from.remove();
  }
}
