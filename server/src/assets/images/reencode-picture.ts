import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import type { Sharp, SharpOptions } from "sharp";
import { decodeQr, type Looks } from "./codes/decode-qr.ts";
import { greyOf, lookAgain, type Original } from "./codes/look-again.ts";
import { nextInTurn } from "./next-in-turn.ts";

/** One image to check and re-encode; paths, so that no bytes are passed between processes. */
export interface PictureJob {
  /** Identifies the owner of the picture; owners take turns. */
  owner: string;
  from: string;
  to: string;
  /** True if a code is searched in it; such pictures may be as large as a camera makes them. */
  decode: boolean;
  /** Keeps transparency and shrinks to this side; null for photos and proofs, which are stored whole, as JPEG. */
  logoSide: number | null;
}

export interface PictureRead {
  content_type: "image/jpeg" | "image/png";
  size_bytes: number;
  width: number;
  height: number;
  sha256: string;
  phash: string;
  /** 64 × 128 gray values, in base64. */
  shades: string;
  /** Distinct texts of the codes found, or null if none was searched. */
  texts: string[] | null;
}

/** Photos of current phones have up to 24 megapixels when they are sent. */
export const pixelsMax = 25_000_000;
const webpPixelsMax = 8_000_000;
const secondsMax = 100;

/**
 * `error` refuses damaged and truncated files. The stricter `warning` would also refuse ordinary photos of some Samsung phones, whose JPEG
 * scans have a wrong end index that every viewer ignores.
 */
const reading: SharpOptions = { failOn: "error", limitInputPixels: pixelsMax, pages: 1 };

/** The only error of a valid image: the caller gets it, because a smaller copy would do. */
export class TooManyPixels extends Error {
  readonly pixels: number;
  constructor(pixels: number) {
    super(`${pixels} pixels`);
    this.pixels = pixels;
  }
}

type SharpMaker = (input: Uint8Array | string, options?: SharpOptions) => Sharp;
let loaded: Promise<SharpMaker> | null = null;

/**
 * Checks and re-encodes one picture. Only runs in the picture process. Throws TooManyPixels; any other error means that the picture can't
 * be read.
 */
export async function readPicture(job: PictureJob): Promise<PictureRead> {
  loaded ??= loadSharp();
  const sharp = await loaded;
  // Only reads the header, so that its claims cost nothing, and waiting images hold no file.
  const metadata = await sharp(job.from, { ...reading, limitInputPixels: false }).metadata();
  if (metadata.width * metadata.height > pixelsMax) throw new TooManyPixels(metadata.width * metadata.height);
  const side = job.logoSide ?? sideMax(metadata);
  return withPixels({ owner: job.owner, pixels: metadata.width * metadata.height }, async () =>
    inspect(sharp, { bytes: await readFile(job.from), side, hasAlpha: metadata.hasAlpha === true }, job),
  );
}

/** Only WebP is always decoded whole, and twice; a large one is shrunk while decoding. */
function sideMax(metadata: { format?: string; width: number; height: number }): number | null {
  const pixels = metadata.width * metadata.height;
  return metadata.format !== "webp" || pixels <= webpPixelsMax
    ? null
    : Math.floor(Math.max(metadata.width, metadata.height) * Math.sqrt(webpPixelsMax / pixels));
}

async function inspect(
  sharp: SharpMaker,
  given: { bytes: Buffer; side: number | null; hasAlpha: boolean },
  job: PictureJob,
): Promise<PictureRead> {
  const drawn = await draw(sharp(given.bytes, reading), given.side, job.logoSide !== null);
  await writeFile(job.to, drawn.data, { mode: 0o600 });
  // Everything else is read from the new picture: a plain JPEG streams, while the original may have to be in memory whole.
  const again = () => sharp(drawn.data, reading);
  return {
    content_type: job.logoSide === null ? "image/jpeg" : "image/png",
    size_bytes: drawn.data.length,
    width: drawn.info.width,
    height: drawn.info.height,
    sha256: createHash("sha256").update(drawn.data).digest("hex"),
    phash: await gradientHash(again()),
    shades: await shadesOf(again()),
    texts: job.decode
      ? await decodeQr(looksAt(sharp, { again, original: { bytes: given.bytes, reading, hasAlpha: given.hasAlpha } }))
      : null,
  };
}

function looksAt(sharp: SharpMaker, picture: { again(): Sharp; original: Original }): Looks {
  return {
    grey: (side) =>
      greyOf(side === null ? picture.again() : picture.again().resize(side, side, { fit: "inside", withoutEnlargement: true })),
    again: (small) => lookAgain(sharp, small, picture.original),
  };
}

interface Claim {
  owner: string;
  pixels: number;
}

const inWork = new Set<Claim>();
const held = new Map<Claim, () => void>();

/**
 * Pictures in progress never have more pixels in total than one of the largest kind, so that several at once need no more memory than one.
 * They start in turns without overtaking, otherwise the largest would wait as long as small ones arrive.
 */
async function withPixels<T>(claim: Claim, work: () => Promise<T>): Promise<T> {
  await new Promise<void>((begin) => {
    held.set(claim, begin);
    beginHeld();
  });
  try {
    return await work();
  } finally {
    inWork.delete(claim);
    beginHeld([claim]);
  }
}

/**
 * An image that just ended still counts as its owner's turn: otherwise, if only one fits at a time, the owner's next one would start before
 * all others.
 */
function beginHeld(ended: Claim[] = []): void {
  const inTurn = () => nextInTurn([...inWork, ...ended], held.keys());
  for (let next = inTurn(); next !== undefined && fits(next); next = inTurn()) {
    const begin = held.get(next);
    held.delete(next);
    inWork.add(next);
    begin?.();
  }
}

function fits({ pixels }: Claim): boolean {
  const taken = [...inWork].reduce((sum, claim) => sum + claim.pixels, 0);
  return taken === 0 || taken + pixels <= pixelsMax;
}

async function loadSharp(): Promise<SharpMaker> {
  const { default: sharp } = await import("sharp");
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: ["VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp"] });
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

function draw(picture: Sharp, side: number | null, isLogo: boolean) {
  const upright = picture.timeout({ seconds: secondsMax }).autoOrient().toColourspace("srgb");
  if (side !== null) upright.resize(side, side, { fit: "inside", withoutEnlargement: true });
  if (isLogo) return upright.png().toBuffer({ resolveWithObject: true });
  // Without optimized tables the encoder streams; with them it holds the whole picture, with half as much memory again and twice the time.
  const jpeg = { quality: 85, chromaSubsampling: "4:4:4", optimiseCoding: false };
  return upright.flatten({ background: "#ffffff" }).jpeg(jpeg).toBuffer({ resolveWithObject: true });
}

/** The random difference of a flat background after re-saving. */
const chance = 2;

/** 16 × 16 comparisons of neighboring brightness: survives scaling, recompression and small edits. */
async function gradientHash(picture: Sharp): Promise<string> {
  const grey = await picture.flatten({ background: "#ffffff" }).greyscale().resize(17, 16, { fit: "fill" }).raw().toBuffer();
  let bits = "";
  for (let row = 0; row < 16; row += 1) {
    for (let column = 0; column < 16; column += 1) {
      bits += (grey[row * 17 + column + 1] ?? 0) - (grey[row * 17 + column] ?? 0) > chance ? "1" : "0";
    }
  }
  return bits;
}

/** The picture at low resolution: softened between two sizes, so that the exact positions of its pixels don't matter. */
async function shadesOf(picture: Sharp): Promise<string> {
  const soft = picture.flatten({ background: "#ffffff" }).greyscale().resize(128, 256, { fit: "fill", kernel: "cubic" }).blur(1.2);
  const { data, info } = await soft.raw().toBuffer({ resolveWithObject: true });
  return halve(data, info).toString("base64");
}

function halve(pixels: Buffer, info: { width: number; height: number; channels: number }): Buffer {
  const out = Buffer.alloc(64 * 128);
  const at = (x: number, y: number) => pixels[(y * info.width + x) * info.channels] ?? 0;
  for (let y = 0; y < 128; y += 1) {
    for (let x = 0; x < 64; x += 1) {
      out[y * 64 + x] = Math.round((at(2 * x, 2 * y) + at(2 * x + 1, 2 * y) + at(2 * x, 2 * y + 1) + at(2 * x + 1, 2 * y + 1)) / 4);
    }
  }
  return out;
}
