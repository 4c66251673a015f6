import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import type { Sharp, SharpOptions } from "sharp";
import { decodeQr } from "./decode-qr.ts";

/** One picture to judge and draw anew; paths, so that no bytes cross between processes. */
export interface PictureJob {
  from: string;
  to: string;
  /** A code is looked for in these; they may be as large as a camera makes them. */
  decode: boolean;
  /** Keeps transparency and shrinks to this side; photos and proofs are kept whole, as JPEG. */
  logoSide: number | null;
}

export interface PictureRead {
  content_type: "image/jpeg" | "image/png";
  size_bytes: number;
  width: number;
  height: number;
  sha256: string;
  phash: string;
  /** Distinct texts of the codes found, or null when none was looked for. */
  texts: string[] | null;
}

const pixelsMax = 16_000_000;
const secondsMax = 8;

/**
 * `error` refuses what is damaged or cut short. The stricter `warning` would also refuse ordinary photos of some Samsung phones,
 * whose JPEG scans carry a wrong end index that every viewer ignores.
 */
const reading: SharpOptions = { failOn: "error", limitInputPixels: pixelsMax, pages: 1 };

type SharpMaker = (input: Buffer, options: SharpOptions) => Sharp;
let loaded: Promise<SharpMaker> | null = null;

/** Judges and redraws one picture. Runs in the picture process alone; any failure means that the picture cannot be read. */
export async function readPicture(job: PictureJob): Promise<PictureRead> {
  loaded ??= loadSharp();
  const sharp = await loaded;
  const bytes = await readFile(job.from);
  const { width, height } = await sharp(bytes, reading).metadata();
  return withPixels(Math.min(width * height, pixelsMax), () => judge(sharp, bytes, job));
}

async function judge(sharp: SharpMaker, bytes: Buffer, job: PictureJob): Promise<PictureRead> {
  const drawn = await redraw(sharp, bytes, job);
  const texts = job.decode ? await decodeQr((side) => greyOf(sharp(bytes, reading), side)) : null;
  return { ...drawn, texts };
}

async function redraw(sharp: SharpMaker, bytes: Buffer, job: PictureJob): Promise<Omit<PictureRead, "texts">> {
  const drawn = await draw(sharp(bytes, reading), job.logoSide);
  await writeFile(job.to, drawn.data, { mode: 0o600 });
  return {
    content_type: job.logoSide === null ? "image/jpeg" : "image/png",
    size_bytes: drawn.data.length,
    width: drawn.info.width,
    height: drawn.info.height,
    sha256: createHash("sha256").update(drawn.data).digest("hex"),
    phash: await gradientHash(sharp(drawn.data, reading)),
  };
}

let pixelsInWork = 0;
const held: (() => void)[] = [];

/** Pictures in work never hold more pixels together than one of the largest kind, so that three at once need no more memory than one. */
async function withPixels<T>(pixels: number, work: () => Promise<T>): Promise<T> {
  while (pixelsInWork > 0 && pixelsInWork + pixels > pixelsMax) await new Promise<void>((resolve) => held.push(resolve));
  pixelsInWork += pixels;
  try {
    return await work();
  } finally {
    pixelsInWork -= pixels;
    for (const go of held.splice(0)) go();
  }
}

async function loadSharp(): Promise<SharpMaker> {
  const { default: sharp } = await import("sharp");
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadWebpBuffer"] });
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

function draw(picture: Sharp, logoSide: number | null) {
  // Without optimised tables the encoder streams; with them it holds the whole picture, half as much memory again and twice the time.
  const upright = picture.timeout({ seconds: secondsMax }).autoOrient().toColourspace("srgb");
  if (logoSide === null) {
    return upright
      .flatten({ background: "#ffffff" })
      .jpeg({ quality: 85, chromaSubsampling: "4:4:4", optimiseCoding: false })
      .toBuffer({ resolveWithObject: true });
  }
  return upright.resize(logoSide, logoSide, { fit: "inside", withoutEnlargement: true }).png().toBuffer({ resolveWithObject: true });
}

/** Grey pixels, shrunk to `side` unless null. */
async function greyOf(picture: Sharp, side: number | null) {
  const grey = picture.timeout({ seconds: secondsMax }).autoOrient().flatten({ background: "#ffffff" }).greyscale();
  if (side !== null) grey.resize(side, side, { fit: "inside", withoutEnlargement: true });
  const { data, info } = await grey.raw({ depth: "uchar" }).toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** 16 × 16 comparisons of neighbouring brightness: survives scaling, recompression and small edits. */
async function gradientHash(picture: Sharp): Promise<string> {
  const { data } = await picture.flatten({ background: "#ffffff" }).greyscale().resize(17, 16, { fit: "fill" }).raw().toBuffer({ resolveWithObject: true });
  let bits = "";
  for (let row = 0; row < 16; row += 1) {
    for (let column = 0; column < 16; column += 1) {
      bits += (data[row * 17 + column] ?? 0) < (data[row * 17 + column + 1] ?? 0) ? "1" : "0";
    }
  }
  return bits;
}
