import { createLeaseNames } from "#platform/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { lockDueEndpoints, updateClaimed } from "#webhooks/delivery/sending/claim.sql.ts";
import { leaseMs } from "#webhooks/delivery/sending/claim-due.ts";
import { reviveExpired } from "#webhooks/index.ts";

const mostOfEach = 5;

/** Leases what is due to a process that dies, and lets time pass until it is due again, or set aside. */
export async function loseWorker({ ctx, clock }: TestApp): Promise<void> {
  const names = createLeaseNames();
  await ctx.transact(async (tx) => {
    const [holder, lease] = [names.holder(ctx), names.next(ctx)];
    const due = await lockDueEndpoints(tx, { limit: 10, staleAfterMs: 0, holder, full: [] });
    const endpoints = due.map((endpoint) => ({ ...endpoint, most: mostOfEach }));
    const attemptIds = Array.from({ length: due.length * mostOfEach }, () => ctx.id("wat"));
    await updateClaimed(tx, { endpoints, holder, lease, durationMs: leaseMs, attemptIds });
  });
  clock.advance(leaseMs + 1_000);
  await reviveExpired(ctx);
  clock.advance(60_000);
}
