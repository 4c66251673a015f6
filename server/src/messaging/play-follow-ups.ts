import { type Ctx, isUnavailable, type Tx, updatePlanning } from "#platform/index.ts";

const portion = 100;
const followUpMs = 1_000;

/** Delayed actions of a simulated recipient of a TEST message. */
export function followUpAt(pinned: Pick<Ctx, "now">): Date {
  return new Date(pinned.now().getTime() + followUpMs);
}

interface Playing<FollowUp> {
  /** Takes the due ones, each once. */
  take(tx: Tx, limit: number): Promise<FollowUp[]>;
  play(followUp: FollowUp): Promise<unknown>;
}

/** Runs the actions of simulated recipients after their delivery; returns how many. One that fails is left out. */
export async function playFollowUps<FollowUp>(ctx: Ctx, { take, play }: Playing<FollowUp>): Promise<number> {
  const due = await ctx.transact(async (tx) => {
    await updatePlanning(tx);
    return take(tx, portion);
  });
  for (const one of due) {
    await play(one).catch((err: unknown) => {
      if (isUnavailable(err)) throw err;
      ctx.log.error({ err, follow_up: one }, "the action of a simulated recipient failed; it is left out");
    });
  }
  return due.length;
}
