import { createHash, randomBytes } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { assetErrors } from "../errors.ts";
import { privateFolder } from "./private-folder.ts";

/** An uploaded file on disk: however many uploads run at once, none of them is in memory. */
export interface Spooled {
  path: string;
  size_bytes: number;
  /** Hash of the received bytes in hex, which an Idempotency-Key is compared by. */
  sha256: string;
  /** The first bytes, which identify the format. */
  head: Buffer;
  remove(): Promise<void>;
}

export const uploadBytesMax = 5 * 1024 * 1024;

const spoolFolder = privateFolder("tillpost-uploads-");

/** Writes an upload to a private temporary file; throws file_too_large as soon as the limit is exceeded. The caller removes it. */
export async function spoolUpload(source: AsyncIterable<Uint8Array> | Uint8Array, bytesMax = uploadBytesMax): Promise<Spooled> {
  const path = spoolPath();
  const remove = () => rm(path, { force: true });
  const hash = createHash("sha256");
  let size = 0;
  let head = Buffer.alloc(0);
  const file = await open(path, "wx", 0o600);
  try {
    for await (const chunk of source instanceof Uint8Array ? [source] : source) {
      size += chunk.byteLength;
      if (size > bytesMax) throw assetErrors.file_too_large({ param: "file", message: tooLarge(bytesMax) });
      hash.update(chunk);
      if (head.length < 32) head = Buffer.concat([head, chunk.subarray(0, 32)]);
      await file.writeFile(chunk);
    }
  } catch (error) {
    await file.close();
    await remove();
    throw error;
  }
  await file.close();
  return { path, size_bytes: size, sha256: hash.digest("hex"), head, remove };
}

/** A new name in this process's private folder. */
export function spoolPath(): string {
  return join(spoolFolder(), randomBytes(12).toString("hex"));
}

/** The public message of file_too_large. */
export function tooLarge(bytesMax: number): string {
  const limit = bytesMax >= 1024 * 1024 ? `${bytesMax / 1024 / 1024} MB` : `${bytesMax / 1024} KB`;
  return `The file is larger than ${limit}.`;
}
