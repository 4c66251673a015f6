import type { Ctx } from "../context.ts";
import type { Wanted } from "../queue/work-portion.ts";
import { open } from "../secrets.ts";
import type { Tx } from "../sql.ts";
import { placeOf } from "./notice.ts";
import { reviveJobs } from "./revive-jobs.ts";
import { listSentSince, type NoticeRow, noticeQueue, updateGathered, updateLeasedNotices, updatePostponed } from "./sql.ts";

export const noticeLeaseMs = 60_000;
const gatheredMost = 500;

/** A kind whose notices to one recipient are combined into one email, followed by a pause. */
export interface Gathering {
  kind: string;
  quietMs: number;
}

/** A notice leased by this worker. `params` is the value passed to `notice`, or null if it can't be opened. */
export interface ClaimedNotice {
  id: string;
  kind: string;
  recipient: string;
  params: unknown;
  attempts: number;
  created_at: Date;
  /** Identifies notices that are sent together: the same at every attempt. */
  batch: string;
  lease: string;
}

/**
 * Leases due notices together with others for the same emails, oldest first. Ends with `finishNotices`, `retryNotices` or `returnNotices`.
 */
export function claimNotices(ctx: Ctx, given: Wanted & { gatherings: readonly Gathering[] }): Promise<ClaimedNotice[]> {
  const { gatherings, ...wanted } = given;
  return ctx.transact(async (tx) => {
    const due = await updateLeasedNotices(tx, wanted);
    const rows: NoticeRow[] = [];
    for (const [kind, own] of Map.groupBy(due, (row) => row.kind)) {
      const gathering = wanted.alone ? undefined : gatherings.find((one) => one.kind === kind);
      rows.push(...(gathering === undefined ? own : await gather(tx, wanted, { ...gathering, rows: own })));
    }
    return rows.map((row) => claimedOf(ctx, row, wanted.lease)).sort((left, right) => (left.id < right.id ? -1 : 1));
  });
}

/** Makes notices of lost workers due again; returns how many. */
export function reviveNotices(ctx: Ctx): Promise<number> {
  return reviveJobs(ctx, noticeQueue, "revive_notices");
}

/** Notices from an earlier attempt stay together; others include waiting ones, or wait if the last email is recent. */
async function gather(
  tx: Tx,
  wanted: Pick<Wanted, "lease" | "durationMs">,
  given: Gathering & { rows: NoticeRow[] },
): Promise<NoticeRow[]> {
  const { kind, quietMs } = given;
  const { lease } = wanted;
  const tried = given.rows.filter((row) => row.batch !== lease);
  const claimed = given.rows.filter((row) => row.batch === lease);
  const recipients = [...new Set(claimed.map((row) => row.recipient))];
  if (recipients.length === 0) return tried;
  claimed.push(...(await updateGathered(tx, wanted, { kind, recipients, limit: gatheredMost })));
  const sent = await listSentSince(tx, { kind, recipients, withinMs: quietMs });
  for (const { recipient, finished_at } of sent) {
    const ids = claimed.filter((row) => row.recipient === recipient).map((row) => row.id);
    await updatePostponed(tx, { ids, lease, due: new Date(finished_at.getTime() + quietMs) });
  }
  const quiet = new Set(sent.map((row) => row.recipient));
  return [...tried, ...claimed.filter((row) => !quiet.has(row.recipient))];
}

function claimedOf(ctx: Ctx, row: NoticeRow, lease: string): ClaimedNotice {
  return { ...row, params: openedParams(ctx, row), lease };
}

function openedParams(ctx: Ctx, row: NoticeRow): unknown {
  try {
    return JSON.parse(String(open(ctx.masterKeys, placeOf(row.id), row.params)));
  } catch (error) {
    ctx.log.error({ notice: row.id, kind: row.kind, reason: (error as Error).message }, "a notice can't be decrypted");
    return null;
  }
}
