import type { Ctx } from "./context.ts";
import { deleteLease, takeLease } from "./lease.sql.ts";

/** Runs `work` while this process alone holds the named lease; answers null without running when another holds it. A killed holder's lease ends by itself after `seconds`. */
export async function withLease<T>(ctx: Ctx, lease: { name: string; seconds: number }, work: () => Promise<T>): Promise<T | null> {
  const token = ctx.id("req");
  const now = ctx.now();
  const endsAt = new Date(now.getTime() + lease.seconds * 1000);
  if (!(await takeLease(ctx.db, lease.name, { token, now, endsAt }))) return null;
  try {
    return await work();
  } finally {
    await deleteLease(ctx.db, lease.name, token);
  }
}
