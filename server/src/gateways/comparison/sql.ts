import { type LeaseClaim, type QueueTable, type Tenant, type Tx, updateLeased } from "#platform/index.ts";
import { type ColumnsOf, columns, type Db, sql } from "#platform/sql.ts";
import { pollStates } from "../states.ts";

export const comparisonQueue: QueueTable = {
  name: "gateway_comparisons",
  table: (tag) => tag`gateway_comparisons`,
  job: (tag) => tag`q.credential_id`,
};

/** The result of an account's newest comparison: everything matches, something doesn't, it failed, or the provider has no list. */
export type ComparisonStatus = "equal" | "different" | "failed" | "unlisted";

/** How far an account was compared with its provider's list. */
export interface ComparisonRow extends Tenant {
  credential_id: string;
  gateway: string;
  /** Every day since then was compared, up to `compared_until`. */
  begun_at: Date | null;
  compared_until: Date | null;
  attempts: number;
  /** How many of the failed attempts to compare the present day had its list. */
  read_attempts: number;
  created_at: Date;
}

/** A comparison that is due, leased by this process. */
export type ComparisonJob = ComparisonRow & { lease: string };

const comparisonColumns: ColumnsOf<ComparisonRow> = columns(
  "gateway_comparisons",
  "project_id, livemode, credential_id, gateway, begun_at, compared_until, attempts, read_attempts, created_at",
);

/** Leases comparisons that are due, the longest due first: a compared account moves to the end. */
export function updateLeasedComparisons(tx: Tx, claim: Omit<LeaseClaim, "more" | "columns">): Promise<ComparisonJob[]> {
  return updateLeased<ComparisonJob>(tx, comparisonQueue, {
    ...claim,
    more: (tag) => tag``,
    columns: (tag) => tag`${comparisonColumns.of("q")}, q.lease`,
  });
}

/** The result of a comparison, and when the next one is due. */
export interface ComparisonEnd {
  status: ComparisonStatus;
  /** The compared period; null if there was none. */
  span: { from: Date; to: Date } | null;
  lines: number;
  differences: number;
  error: { code: string; message: string } | null;
  /** Whether the provider's list was read, also if it couldn't be compared. */
  isRead: boolean;
  dueAt: Date;
}

/** Ends a comparison under its lease; returns how many were still held. A failed one keeps the figures of the previous one. */
export async function updateCompared(tx: Tx, job: ComparisonJob, end: ComparisonEnd): Promise<number> {
  pollStates.check(["leased"], "due");
  const { status, span, error } = end;
  const rows = await sql(tx)`
    update gateway_comparisons set state = 'due', lease = null, lease_until = null, deaths = 0, due_at = ${end.dueAt}, status = ${status},
      ran_at = app_now(), begun_at = case when ${span?.from ?? null}::timestamptz > compared_until then ${span?.from ?? null}::timestamptz
        else coalesce(begun_at, ${span?.from ?? null}::timestamptz) end,
      compared_until = coalesce(${span?.to ?? null}::timestamptz, compared_until),
      lines = case when ${span !== null} then ${end.lines}::int else lines end,
      differences = case when ${span !== null} then ${end.differences}::int else differences end,
      error = ${error === null ? null : sql(tx).json(error)}::jsonb, attempts = case when ${status === "failed"} then attempts else 0 end,
      read_attempts = case when ${status === "failed"} then read_attempts + ${end.isRead ? 1 : 0}::int else 0 end
    where project_id = ${job.project_id} and livemode = ${job.livemode} and credential_id = ${job.credential_id} and state = 'leased'
      and lease = ${job.lease}`;
  return rows.count;
}

/** Releases a comparison until it is due, or ends it permanently if `dueAt` is null. */
export async function updateComparisonDue(tx: Tx, job: ComparisonJob, dueAt: Date | null): Promise<number> {
  pollStates.check(["leased"], dueAt === null ? "done" : "due");
  const rows = await sql(tx)`
    update gateway_comparisons set state = case when ${dueAt}::timestamptz is null then 'done' else 'due' end,
      lease = null, lease_until = null, deaths = 0, due_at = coalesce(${dueAt}::timestamptz, due_at), attempts = 0,
      read_attempts = 0
    where project_id = ${job.project_id} and livemode = ${job.livemode} and credential_id = ${job.credential_id} and state = 'leased'
      and lease = ${job.lease}`;
  return rows.count;
}

/** How many accounts of each gateway have which state. */
export async function listComparisonFigures(db: Db): Promise<{ gateway: string; status: string; accounts: number }[]> {
  return sql(db)<{ gateway: string; status: string; accounts: number }>`
    -- all tenants: the operator's figures are of the whole installation
    select gateway, coalesce(status, 'none') as status, count(*) as accounts from gateway_comparisons
    where state <> 'done' group by gateway, coalesce(status, 'none') order by 1, 2`;
}
