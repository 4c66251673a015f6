import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { isStorable } from "#platform/index.ts";
import { assetErrors } from "../errors.ts";
import { detectFormat } from "./detect-format.ts";
import { type PictureJob, type PictureRead, pixelsMax } from "./reencode-picture.ts";
import { fileBytesMax } from "./start-confined.ts";

/** A re-encoded picture: its bytes, and what was read from it. */
export interface TakenPicture {
  bytes: Buffer;
  read: PictureRead;
}

/** More than any picture has codes, and than any code has characters. */
const textsMax = 1000;
const textLengthMax = 7089;
const shadesBytes = 64 * 128;
/** A pipe that was left there must not keep the server waiting. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Takes what the picture process left at a path and answered. A picture may have taken over that process, so nothing is believed: only a
 * regular file in the expected format counts, and only the answer's known fields. Throws image_unreadable.
 */
export async function takePicture(path: string, answer: unknown, job: Pick<PictureJob, "decode" | "logoSide">): Promise<TakenPicture> {
  try {
    const bytes = await readRegular(path);
    return { bytes, read: checked(bytes, answer, job) };
  } catch (error) {
    throw assetErrors.image_unreadable({ param: "file", cause: error as Error });
  }
}

/** A link could lead to any file that the server can read. */
async function readRegular(path: string): Promise<Buffer> {
  const file = await open(path, flags);
  try {
    const { size } = await regular(file);
    const bytes = Buffer.alloc(size);
    const { bytesRead } = await file.read(bytes, 0, size, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function regular(file: Awaited<ReturnType<typeof open>>): Promise<{ size: number }> {
  const stats = await file.stat();
  if (!stats.isFile() || stats.size > fileBytesMax) throw new Error("the picture process left no picture");
  return stats;
}

function checked(bytes: Buffer, answer: unknown, job: Pick<PictureJob, "decode" | "logoSide">): PictureRead {
  const { width, height, phash, shades, texts } = (answer ?? {}) as Partial<Record<keyof PictureRead, unknown>>;
  const format = job.logoSide === null ? "jpeg" : "png";
  ensure(detectFormat(bytes.subarray(0, 32)) === format, "the file");
  ensure(isSide(width) && isSide(height) && width * height <= pixelsMax, "its size");
  ensure(typeof phash === "string" && /^[01]{256}$/.test(phash), "phash");
  ensure(typeof shades === "string" && Buffer.from(shades, "base64").length === shadesBytes, "shades");
  return {
    content_type: `image/${format}`,
    size_bytes: bytes.length,
    width,
    height,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    phash,
    shades,
    texts: job.decode ? textsOf(texts) : null,
  };
}

/** Without texts that the database can't store: no payment code has any. */
function textsOf(texts: unknown): string[] {
  ensure(Array.isArray(texts), "texts");
  return texts.slice(0, textsMax).filter((text: unknown): text is string => {
    ensure(typeof text === "string" && text.length <= textLengthMax, "texts");
    return isStorable(text);
  });
}

const isSide = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

function ensure(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`the picture process answered something impossible: ${what}`);
}
