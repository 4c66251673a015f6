import { createComparer } from "#reconciliation/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";

const dayMs = 86_400_000;

/** Compares every account that is due with its provider's list, to the end. */
export async function compareDue({ ctx }: Pick<TestApp, "ctx">): Promise<void> {
  const comparer = createComparer();
  for (let started = 1; started > 0; await comparer.idle()) started = await comparer.run(ctx);
  await comparer.finish(ctx);
}

/** Lets days pass, each of which is compared. */
export async function compareDays(app: Pick<TestApp, "ctx" | "clock">, days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    app.clock.advance(dayMs);
    await compareDue(app);
  }
}

/** Compares two days on a context whose transactions are counted; `after` is called after each. Returns how many there were. */
export async function compareCounting({ ctx, clock }: Pick<TestApp, "ctx" | "clock">, after: () => void = () => {}): Promise<number> {
  let count = 0;
  const counting: Pick<typeof ctx, "transactUnclaimed"> = {
    async transactUnclaimed(work) {
      count += 1;
      const result = await ctx.transactUnclaimed(work);
      after();
      return result;
    },
  };
  await compareDays({ ctx: { ...ctx, ...counting }, clock }, 2);
  return count;
}
