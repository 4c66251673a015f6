import { type Ctx, isUnavailable } from "#platform/index.ts";
import type { NewMessage } from "./new-message.ts";

/** Puts attachments' bytes into the file store before `work` commits their rows; takes them back when it fails or an earlier request stands in. */
export async function keepFiles<T>(ctx: Ctx, messages: NewMessage[], work: () => Promise<T>): Promise<T> {
  const files = messages.flatMap((message) => message.files);
  if (files.length === 0) return work();
  const takeBack = () =>
    Promise.all(files.map(({ key }) => ctx.files.remove(key).catch((error: unknown) => ctx.log.warn({ err: error, key }, "a file stays behind"))));
  try {
    for (const { key, bytes } of files) await ctx.files.put(key, bytes);
    const result = await work();
    if (ctx.claim?.replayed === true) await takeBack();
    return result;
  } catch (error) {
    // A commit whose answer was lost may have taken effect, and its message must not lose what is attached.
    if (!isUnavailable(error)) await takeBack();
    throw error;
  }
}
