import { type Ctx, pipeline, type Tx, updateLockWait } from "#platform/index.ts";
import { messagingErrors } from "../../errors.ts";
import { dailyQuotaOf, type QuotaTier } from "./daily-quotas.ts";
import type { NewMessage } from "./new-message.ts";
import { insertUsage } from "./sql.ts";

const counterPatience = 10;
const counterWaitMaxMs = 5_000;

function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/**
 * Counts messages against their projects' day, a recipient as one. The last thing a transaction does before its commit, because the counter's
 * row makes a project's other transactions wait. Throws quota_exceeded.
 */
export async function takeQuota(tx: Tx, ctx: Ctx, { messages, patienceMs }: { messages: NewMessage[]; patienceMs: number }): Promise<void> {
  const [first] = messages;
  if (first === undefined) return;
  const now = first.email.created_at;
  const counted = messages.filter(({ tier }) => tier !== "system");
  const groups = Map.groupBy(counted, ({ email }) => `${email.project_id} ${email.livemode}`);
  const names = [...groups.keys()].sort();
  // What is waited for here is another transaction's commit and nothing else: giving up early would only take groups apart.
  const [, taken] = await pipeline(tx, (pipe) => [
    updateLockWait(pipe, Math.min(patienceMs * counterPatience, counterWaitMaxMs)),
    names.map((name) => {
      const members = groups.get(name) as NewMessage[];
      const [{ email, tier }] = members as [NewMessage];
      const wanted = members.reduce((sum, one) => sum + one.recipients.length, 0);
      return insertUsage(pipe, email, { channel: "email", day: dayOf(now), wanted, limit: dailyQuotaOf(ctx, tier as QuotaTier) });
    }),
  ]);
  if (!taken.includes(false)) return;
  const untilMidnight = 86_400 - Math.floor((now.getTime() / 1000) % 86_400);
  throw messagingErrors.quota_exceeded({ headers: { "retry-after": String(untilMidnight) } });
}
