import type { Ctx } from "../context.ts";

/** Names the leases of one process: all begin with its own name, so that the others can tell how much of what it holds. */
export interface LeaseNames {
  /** Begins each lease of this process. */
  holder(ctx: Pick<Ctx, "id">): string;
  /** The name of the next claim. */
  next(ctx: Pick<Ctx, "id">): string;
}

export function createLeaseNames(): LeaseNames {
  let holder: string | null = null;
  let claims = 0;
  const holderOf = (ctx: Pick<Ctx, "id">) => (holder ??= ctx.id("dlv"));
  return {
    holder: holderOf,
    next(ctx) {
      claims += 1;
      return `${holderOf(ctx)} ${claims}`;
    },
  };
}

/** The process that a lease is of; null for one that was taken by hand. */
export function holderOf(lease: string): string | null {
  const [holder = "", claim] = lease.split(" ");
  return claim === undefined ? null : holder;
}
