import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

let folder: string | null = null;

/** The only folder that the picture process can access. It belongs to this server process and is deleted with it. */
export function pictureFolder(): string {
  folder ??= makeFolder();
  return folder;
}

/** A new name in that folder. */
export function picturePath(): string {
  return join(pictureFolder(), randomBytes(12).toString("hex"));
}

function makeFolder(): string {
  const made = mkdtempSync(join(tmpdir(), "tillpost-pictures-"));
  process.once("exit", () => rmSync(made, { recursive: true, force: true }));
  return made;
}
