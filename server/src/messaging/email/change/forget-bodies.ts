import type { Ctx } from "#platform/index.ts";
import { deleteBodies } from "./sql.ts";

const portion = 200;
const keptMs = 30 * 86_400_000;

/** Removes texts and attachments thirty days after the message could last have been sent; the message itself stays. Answers how many. */
export async function forgetBodies(ctx: Ctx): Promise<number> {
  const { files, count } = await ctx.transact((tx) => deleteBodies(tx, new Date(ctx.now().getTime() - keptMs), portion));
  for (const file of files) await ctx.files.remove(file);
  return count;
}
