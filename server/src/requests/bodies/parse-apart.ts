import { createThread, type ErrorExtras, platformErrors } from "#platform/index.ts";
import { type Lifted, settleContents, type Texts, textsIn } from "./lift-contents.ts";

/** The thread's result: a body without its long texts and contents, or its refusal. */
export type Parsed = { value: unknown; lifted: Lifted } | { refused: { code: string; extras: ErrorExtras } };

const parse = createThread<string, Parsed>({ program: new URL("./parse-thread.ts", import.meta.url), does: "parses large bodies" });
const liftedOf = new WeakMap<object, Lifted>();

/**
 * Like `parseJson`, for a file and in another thread: with its attachments, 35 MB take a third of a second, which would block all requests.
 * The result has tokens in place of its long texts and its attachments' contents; `takeContents` inserts them when the body has been
 * checked and has its fingerprint.
 */
export async function parseApart(path: string): Promise<unknown> {
  const parsed = await parse(path);
  if ("refused" in parsed) throw platformErrors[parsed.refused.code as "invalid_json"](parsed.refused.extras);
  const { value, lifted } = parsed;
  if (lifted.size > 0) liftedOf.set(value as object, lifted);
  return value;
}

/**
 * Inserts the extracted values into the messages created from a checked body, or into the body itself; a body that was parsed here already
 * has its contents as text.
 */
export function takeContents<T>(body: unknown, messages: T): T {
  const lifted = typeof body === "object" && body !== null ? liftedOf.get(body) : undefined;
  if (lifted !== undefined) settleContents(messages, lifted);
  return messages;
}

/** The extracted long texts of a body, under their tokens. */
export function liftedTextsOf(body: unknown): Texts {
  const lifted = typeof body === "object" && body !== null ? liftedOf.get(body) : undefined;
  return textsIn(lifted ?? new Map());
}
