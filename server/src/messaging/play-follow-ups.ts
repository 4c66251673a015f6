import { type Ctx, type Tx, updatePlanning } from "#platform/index.ts";

const portion = 100;
const followUpMs = 1_000;

/** When a simulated recipient of a TEST message does what it does after the delivery. */
export function followUpAt(timed: Pick<Ctx, "now">): Date {
  return new Date(timed.now().getTime() + followUpMs);
}

interface Playing<FollowUp> {
  /** Takes those whose time has come, each once. */
  take(tx: Tx, limit: number): Promise<FollowUp[]>;
  play(followUp: FollowUp): Promise<unknown>;
}

/** Plays what simulated recipients do after they took delivery; answers how many did something. */
export async function playFollowUps<FollowUp>(ctx: Ctx, { take, play }: Playing<FollowUp>): Promise<number> {
  const due = await ctx.transact(async (tx) => {
    await updatePlanning(tx);
    return take(tx, portion);
  });
  for (const one of due) await play(one);
  return due.length;
}
