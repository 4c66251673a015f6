import { after, type Ctx, type Pipe, type Sent, type Tx } from "#platform/index.ts";
import { deleteLooseFiles, insertLooseFiles, updateLooseFiles } from "./sql.ts";
import { removeFiles } from "./sweep-mail-files.ts";

/** A message with the bytes of its attachments, keyed by their place in the store. */
export interface WithFiles {
  files: { key: string; bytes: Buffer }[];
}

/** Much longer than the longest request and transaction. */
const looseMs = 3_600_000;

/**
 * Stores attachments' bytes before `work` commits their rows, and removes them if it fails or the response is replayed from an earlier
 * request. Until that commit they are recorded as loose, so that a later sweep removes what a crash leaves behind.
 */
export async function keepFiles<T>(ctx: Ctx, messages: WithFiles[], work: () => Promise<T>): Promise<T> {
  const files = messages.flatMap((message) => message.files);
  if (files.length === 0) return work();
  const keys = files.map(({ key }) => key);
  await insertLooseFiles(ctx.db, keys, looseMs);
  try {
    for (const { key, bytes } of files) await ctx.files.put(key, bytes);
    const result = await work();
    if (ctx.claim?.replayed === true) await discardFiles(ctx, keys);
    return result;
  } catch (error) {
    // A commit whose response was lost may have taken effect: then its files aren't loose anymore and remain.
    await discardFiles(ctx, keys);
    throw error;
  }
}

/** Runs in the transaction that writes their messages: the files are owned from its commit on. */
export function ownFiles<On extends Tx | Pipe>(tx: On, messages: WithFiles[]): Sent<On, void> {
  const keys = messages.flatMap((message) => message.files.map(({ key }) => key));
  return after(tx, deleteLooseFiles(tx, keys), (count) => {
    if (count !== keys.length) throw new Error("attachments went while their message was being written");
  });
}

/** What can't be removed now is removed by the next sweep. */
async function discardFiles(ctx: Ctx, keys: string[]): Promise<void> {
  try {
    await removeFiles(ctx, await updateLooseFiles(ctx.db, keys));
  } catch (error) {
    ctx.log.warn({ err: error }, "attachments of a refused message stay until they are swept");
  }
}
