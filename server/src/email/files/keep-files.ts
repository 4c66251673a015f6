import { after, type Ctx, type Pipe, type Sent, type Tx } from "#platform/index.ts";
import { deleteLooseFiles, insertLooseFiles, updateLooseFiles } from "./sql.ts";
import { removeFiles } from "./sweep-mail-files.ts";

/** A message with the bytes of its attachments, by the key they are stored under. */
export interface WithFiles {
  files: { key: string; bytes: Buffer }[];
}

/** Far beyond the longest request and transaction. */
const looseMs = 3_600_000;

/**
 * Puts attachments' bytes into the file store before `work` commits their rows; takes them back when it fails or an earlier request stands in. Until
 * that commit they are on record as loose, so that what a crash leaves behind goes later.
 */
export async function keepFiles<T>(ctx: Ctx, messages: WithFiles[], work: () => Promise<T>): Promise<T> {
  const files = messages.flatMap((message) => message.files);
  if (files.length === 0) return work();
  const keys = files.map(({ key }) => key);
  await insertLooseFiles(ctx.db, keys, looseMs);
  try {
    for (const { key, bytes } of files) await ctx.files.put(key, bytes);
    const result = await work();
    if (ctx.claim?.replayed === true) await takeBack(ctx, keys);
    return result;
  } catch (error) {
    // A commit whose answer was lost may have taken effect: what it owns is not loose any more and stays.
    await takeBack(ctx, keys);
    throw error;
  }
}

/** In the transaction that writes their messages: from its commit on the files are owned. */
export function ownFiles<On extends Tx | Pipe>(tx: On, messages: WithFiles[]): Sent<On, void> {
  const keys = messages.flatMap((message) => message.files.map(({ key }) => key));
  return after(tx, deleteLooseFiles(tx, keys), (count) => {
    if (count !== keys.length) throw new Error("attachments went while their message was being written");
  });
}

/** What cannot be taken back now goes with the next sweep. */
async function takeBack(ctx: Ctx, keys: string[]): Promise<void> {
  try {
    await removeFiles(ctx, await updateLooseFiles(ctx.db, keys));
  } catch (error) {
    ctx.log.warn({ err: error }, "attachments of a refused message stay until they are swept");
  }
}
