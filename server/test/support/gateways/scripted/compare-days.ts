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
