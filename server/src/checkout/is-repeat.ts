import { type Ctx, findReplay } from "#platform/index.ts";

/** True when this request's Idempotency-Key had its effect already: it gets that answer again, whatever the link's state is by now. */
export async function isRepeat(ctx: Ctx): Promise<boolean> {
  return ctx.claim !== null && (await findReplay(ctx.db, ctx.claim)) !== null;
}
