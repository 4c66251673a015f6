import {
  amongWanted,
  atNow,
  beginPass,
  type Ctx,
  lockExpired,
  notifySetAside,
  sweepQueue,
  sweepRows,
  type Tx,
  writeEach,
} from "#platform/index.ts";
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
  return taken + (await endDoubtful(ctx));
}

function endDoubtful(ctx: Ctx): Promise<number> {
  return sweepRows<SmsKey>(ctx, {
    task: "revive_sms",
    kind: "begun_sms",
    limit: portion,
    take: listDoubtful,
    nameOf: ({ id }) => id,
    ownerOf: ({ project_id }) => project_id,
    work: (tx, keys) => doubtAll(tx, ctx, keys),
  });
}

async function doubtAll(tx: Tx, ctx: Ctx, keys: readonly SmsKey[]): Promise<number> {
  const pinned = await atNow(ctx, tx);
  const now = pinned.now();
  const lost: AttemptEnding[] = [];
  const doubtful = await changeSms(tx, pinned, {
    keys,
    change(row) {
      if (row.state !== "leased" || !row.begun || row.lease_until === null || row.lease_until >= now) return null;
      lost.push(lostAttempt({ ...row, sms_id: row.id }));
      // The stored provider is that of an earlier attempt: only the one that has the first parts is sure to have this one.
      return { ...doubt(row, now), provider: row.segments_sent === 0 ? null : row.provider };
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
    const pass = beginPass(ctx, { task: "revive_sms", kind: "sms" });
    const expired = await lockExpired<ExpiredSms>(tx, smsQueue, {
      limit: portion,
      among: (tag) => tag`and not q.begun ${amongWanted(tag, tag`q.id`, { limit: portion, without: pass.waiting })}`,
      columns: (tag) => tag`, q.project_id, q.livemode, q.id, q.attempts`,
    });
    const written = await writeEach(tx, pass, {
      rows: expired.length === 0 ? [] : await classify(expired),
      nameOf: ({ id }) => id,
      ownerOf: ({ project_id }) => project_id,
      write: (inner, some) => requeue(inner, ctx, some),
    });
    const released = written.flat();
    await notifySetAside(tx, ctx, { queue: smsQueue.name, jobs: released.filter(({ isSetAside }) => isSetAside).map(({ id }) => id) });
    if (expired.length < portion) pass.end();
    return released.length;
  });
}

interface ClassifiedSms extends ExpiredSms {
  deaths: number;
  isSetAside: boolean;
  wait_ms: number;
}

/** Makes messages due again, or sets them aside; returns them. */
async function requeue(tx: Tx, ctx: Ctx, classified: readonly ClassifiedSms[]): Promise<readonly ClassifiedSms[]> {
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
  return classified;
}

function lostAttempt({ project_id, livemode, sms_id, attempts }: Omit<SmsKey, "id"> & { sms_id: string; attempts: number }): AttemptEnding {
  const unknown = { provider: null, code: null, message: null, provider_code: null, segments_sent: 0 };
  return { project_id, livemode, sms_id, attempt: attempts, result: "worker_lost", ...unknown };
}
