import { atNow, type Ctx, lockExpired, notifySetAside, sweepQueue, type Tx } from "#platform/index.ts";
import { changeSms } from "../change/change-sms.ts";
import { smsQueue } from "../channel/tables.sql.ts";
import { errorOf } from "../error-words.ts";
import { applyNamed } from "../receipts/apply-receipts.ts";
import type { SmsKey } from "../rows.sql.ts";
import { type AttemptEnding, updateAttempts } from "./attempts.sql.ts";
import { listDoubtful } from "./claim.sql.ts";
import { doubt } from "./classify-outcome.ts";

const portion = 1_000;
const onHold = "Sending this message was interrupted several times. It's on hold until an operator releases it.";

/**
 * Takes messages of lost workers. One that its worker had started to send may have been sent: it isn't sent again, and counts as sent with
 * an unknown outcome. The others are due again, or set aside if workers keep dying of them. Returns how many there were.
 */
export async function reviveSms(ctx: Ctx): Promise<number> {
  // First, because it detects that the database was unavailable.
  const taken = await releaseExpired(ctx);
  return taken + (await ctx.transact((tx) => endDoubtful(tx, ctx)));
}

async function endDoubtful(tx: Tx, ctx: Ctx): Promise<number> {
  const keys = await listDoubtful(tx, portion);
  if (keys.length === 0) return 0;
  const pinned = await atNow(ctx, tx);
  const now = pinned.now();
  const lost: AttemptEnding[] = [];
  const doubtful = await changeSms(tx, pinned, {
    keys,
    change(row) {
      if (row.state !== "leased" || !row.begun || row.lease_until === null || row.lease_until >= now) return null;
      lost.push(lostAttempt({ ...row, sms_id: row.id }));
      return doubt(row, now);
    },
  });
  await updateAttempts(tx, lost);
  await applyNamed(
    tx,
    pinned,
    doubtful.map(({ project_id, livemode, id }) => ({ project_id, livemode, id })),
  );
  return lost.length;
}

interface ExpiredSms extends SmsKey {
  attempts: number;
}

function releaseExpired(ctx: Ctx): Promise<number> {
  return sweepQueue(ctx, smsQueue.name, async (tx, classify) => {
    const expired = await lockExpired<ExpiredSms>(tx, smsQueue, {
      limit: portion,
      among: (tag) => tag`and not q.begun`,
      columns: (tag) => tag`, q.project_id, q.livemode, q.id, q.attempts`,
    });
    if (expired.length === 0) return 0;
    const classified = await classify(expired);
    const verdicts = new Map(classified.map((one) => [one.id, one]));
    const pinned = await atNow(ctx, tx);
    await changeSms(tx, pinned, {
      keys: classified.map(({ project_id, livemode, id }) => ({ project_id, livemode, id })),
      change(row) {
        const verdict = verdicts.get(row.id);
        if (verdict === undefined) return null;
        const { deaths, wait_ms } = verdict;
        if (verdict.isSetAside)
          return { status: "queued", state: "set_aside", deaths, error: errorOf("provider_error", { message: onHold }) };
        return { status: "queued", state: "due", deaths, due_at: new Date(pinned.now().getTime() + wait_ms) };
      },
    });
    await updateAttempts(
      tx,
      classified.map((one) => lostAttempt({ ...one, sms_id: one.id })),
    );
    await notifySetAside(tx, ctx, { queue: smsQueue.name, jobs: classified.filter(({ isSetAside }) => isSetAside).map(({ id }) => id) });
    return classified.length;
  });
}

function lostAttempt({ project_id, livemode, sms_id, attempts }: Omit<SmsKey, "id"> & { sms_id: string; attempts: number }): AttemptEnding {
  const unknown = { provider: null, code: null, message: null, provider_code: null, segments_sent: 0 };
  return { project_id, livemode, sms_id, attempt: attempts, result: "worker_lost", ...unknown };
}
