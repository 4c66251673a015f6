import { readFile } from "node:fs/promises";

/** The private key that decrypts what was encrypted to its public key. */
export interface Identity {
  /** The file that contains it. */
  path: string;
  text: string;
}

type Stage = (source: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>;

/** Reads a file written by `age-keygen`. Throws a readable error if it has no key. */
export async function readIdentity(path: string): Promise<Identity> {
  const lines = (await readFile(path, "utf8").catch((error: Error) => error.message)).split("\n");
  const text = lines.map((line) => line.trim()).find((line) => line.startsWith("AGE-SECRET-KEY-"));
  if (text === undefined) throw new Error(`${path} doesn't contain a private key: a line that starts with AGE-SECRET-KEY- is missing.`);
  return { path, text };
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

/** Decrypts. Fails for a different key or a changed byte. */
export function openWith({ path, text }: Identity): Stage {
  return async function* (source) {
    const { Decrypter } = await import("age-encryption");
    const decrypter = new Decrypter();
    decrypter.addIdentity(text);
    const plain = await decrypter.decrypt(ReadableStream.from(source) as ReadableStream<Uint8Array<ArrayBuffer>>).catch((error: Error) => {
      throw new Error(`The key in ${path} doesn't open this backup (${error.message}).`, { cause: error });
    });
    yield* plain;
  };
}
