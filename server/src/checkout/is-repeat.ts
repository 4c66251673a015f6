import { type Ctx, findReplay } from "#platform/index.ts";

/** Whether this request's Idempotency-Key was already used: it gets the same response again, whatever the link's state is now. */
export async function isRepeat(ctx: Ctx): Promise<boolean> {
  return ctx.claim !== null && (await findReplay(ctx.db, ctx.claim)) !== null;
}
