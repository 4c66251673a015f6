import type { Ctx } from "../context.ts";

/** Names the leases of one process: all start with the process's name, so that others can tell which leases belong to it. */
export interface LeaseNames {
  /** The prefix of this process's leases. */
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

/** The process of a lease; null for one that was taken manually. */
export function holderOf(lease: string): string | null {
  const [holder = "", claim] = lease.split(" ");
  return claim === undefined ? null : holder;
}
