import { randomBytes } from "node:crypto";
import { AppError, type FileStore } from "#platform/index.ts";
import type { Settings } from "../config.ts";
import type { Finding } from "./checks.ts";

const check = "files";

/** Checks whether the store of uploaded files can write, read and delete a file. */
export async function checkFiles(files: FileStore, settings: Settings): Promise<Finding[]> {
  const isS3 = settings.S3_ENDPOINT !== null;
  const where = isS3 ? `${settings.S3_BUCKET} at ${settings.S3_ENDPOINT}` : settings.TILLPOST_DATA_DIR;
  const key = `doctor/${randomBytes(8).toString("hex")}`;
  const bytes = randomBytes(64);
  try {
    await files.put(key, bytes);
    const found = await files.get(key);
    await files.remove(key);
    if (found?.equals(bytes) !== true) throw new Error("what was stored couldn't be read back");
    return [{ check, state: "fine", message: `${where} stores and returns files` }];
  } catch (error) {
    const cause = error instanceof AppError && error.cause instanceof Error ? error.cause : (error as Error);
    const fix = isS3
      ? "Check the S3_… settings, that the bucket exists, that the key can read, write and delete, and that this host can reach it. Until then, uploads return 503."
      : "Check that the folder is writable and its disk has free space. Until then, uploads return 503.";
    return [{ check, state: "fault", message: `files can't be stored in ${where}: ${cause.message}`, fix }];
  }
}
