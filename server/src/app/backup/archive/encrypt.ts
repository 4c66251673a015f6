import { readFile } from "node:fs/promises";

/** Private keys, each of which decrypts what was encrypted to its public key. */
export interface Identity {
  /** The file that contains them. */
  path: string;
  keys: readonly string[];
}

/** Something was encrypted to another public key. */
export class WrongKey extends Error {}

type Stage = (source: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>;

/** Reads a file of one or more keys written by `age-keygen`. Throws a readable error if it can't be read, or has none. */
export async function readIdentity(path: string): Promise<Identity> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    const isClosed = error.code === "EACCES" || error.code === "EPERM";
    const remedy = isClosed ? " Copy it to where the user who runs this command can read it." : "";
    throw new Error(`The file with the private key can't be read: ${error.message}.${remedy}`, { cause: error });
  });
  const keys = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("AGE-SECRET-KEY-"));
  if (keys.length === 0) throw new Error(`${path} doesn't contain a private key: a line that starts with AGE-SECRET-KEY- is missing.`);
  return { path, keys };
}

/** Encrypts to a public key in the format of `age`, which can also decrypt it. The library is loaded only when needed. */
export function sealTo(recipient: string): Stage {
  return async function* (source) {
    const { Encrypter } = await import("age-encryption");
    const encrypter = new Encrypter();
    encrypter.addRecipient(recipient);
    yield* await encrypter.encrypt(ReadableStream.from(source) as ReadableStream<Uint8Array<ArrayBuffer>>);
  };
}

/** Decrypts with the key that fits. Throws `WrongKey` if none does, and another error for a changed byte. */
export function openWith({ path, keys }: Identity): Stage {
  return async function* (source) {
    const { Decrypter } = await import("age-encryption");
    const decrypter = new Decrypter();
    for (const key of keys) decrypter.addIdentity(key);
    const plain = await decrypter.decrypt(ReadableStream.from(source) as ReadableStream<Uint8Array<ArrayBuffer>>).catch((error: Error) => {
      const which = keys.length === 1 ? `The key in ${path} doesn't open` : `None of the keys in ${path} opens`;
      throw new WrongKey(`${which} this backup (${error.message}).`, { cause: error });
    });
    yield* plain;
  };
}
