import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { privateFolder } from "./private-folder.ts";

/** The only folder that the picture process can access. It belongs to this server process and is deleted with it. */
export const pictureFolder = privateFolder("tillpost-pictures-");

/** A new name in that folder. */
export function picturePath(): string {
  return join(pictureFolder(), randomBytes(12).toString("hex"));
}
