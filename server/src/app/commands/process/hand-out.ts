import { open, rm } from "node:fs/promises";
import { resolve } from "node:path";
import type { Given } from "../../command.ts";

/** The option of every command that creates a secret. */
export const secretFileOption = { "secret-file": { type: "string" } } as const;

/** Hands out a secret and returns what to print instead of it. */
export type HandOut = (secret: string) => Promise<string>;

/**
 * Runs `make`, which creates a secret. It's shown on a terminal, or written into a new file that only its owner can read (`--secret-file`):
 * any other output ends up in logs. Without either, nothing is created.
 */
export async function withHandOut(given: Given, isTerminal: boolean, make: (handOut: HandOut) => Promise<string>): Promise<string> {
  const named = given.values["secret-file"];
  if (typeof named !== "string") {
    if (!isTerminal)
      throw new Error("This creates a secret, but the output isn't a terminal. Add --secret-file <new file> to write it to a file.");
    return make(async (secret) => secret);
  }
  const path = resolve(named);
  const handle = await open(path, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === "EEXIST" ? `${path} already exists: choose a new file.` : `${path} can't be written: ${error.message}`);
  });
  let isWritten = false;
  try {
    return await make(async (secret) => {
      await handle.writeFile(`${secret}\n`);
      await handle.sync();
      isWritten = true;
      return `is in ${path}, which only you can read`;
    });
  } finally {
    await handle.close();
    if (!isWritten) await rm(path, { force: true });
  }
}
