import { writeFile } from "node:fs/promises";

/** Generates a key pair: the private key goes into a new file that only its owner can read. Returns instructions for both. */
export async function makeIdentity(path: string): Promise<string> {
  const { generateX25519Identity, identityToRecipient } = await import("age-encryption");
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  await writeFile(path, `# public key: ${recipient}\n${identity}\n`, { flag: "wx", mode: 0o600, flush: true }).catch(
    (error: NodeJS.ErrnoException) => {
      throw new Error(
        error.code === "EEXIST" ? `${path} already exists: choose a new file.` : `${path} can't be written: ${error.message}`,
      );
    },
  );
  return [
    `The private key is in ${path}, which only you can read. Move it to another machine: anyone who has it can read every backup, and without it none can be restored.`,
    "Backups are encrypted to its public key once this is set:",
    "",
    `  BACKUP_RECIPIENT=${recipient}`,
    "",
  ].join("\n");
}
