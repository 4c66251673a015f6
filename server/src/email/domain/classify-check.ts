import type { Findings } from "./look-up.ts";
import { requiredPurposes } from "./records.ts";
import type { DomainRow } from "./sql.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How long a domain's records are looked up before it counts as failed, and how long a verified one may lack them. */
const deadlineMs = 72 * hourMs;
const longestPauseMs = 4 * hourMs;
const verifiedPauseMs = 12 * hourMs;
const missingPauseMs = hourMs;

/** Returns a domain's new state after one DNS lookup. Pure. `isRequested`: a person requested it, so a failed domain starts again. */
export function classifyCheck(seen: DomainRow, findings: Findings, { now, isRequested }: { now: Date; isRequested: boolean }): DomainRow {
  const row =
    seen.status === "failed" && isRequested
      ? { ...seen, status: "pending" as const, pending_since: now, failed_at: null, checks: 0 }
      : seen;
  const records = row.records.map((record, index) => {
    const found = findings[index] ?? null;
    return found === null ? record : { ...record, status: found ? ("verified" as const) : ("failed" as const) };
  });
  const needed = row.records.flatMap((record, index) => (requiredPurposes.has(record.purpose) ? [findings[index] ?? null] : []));
  const checked: DomainRow = { ...row, records, checks: row.checks + 1, checked_at: now };
  const after = (ms: number) => new Date(now.getTime() + ms);
  if (needed.every((found) => found === true)) {
    const verified_at = row.status === "verified" ? row.verified_at : now;
    return {
      ...checked,
      status: "verified",
      verified_at,
      failed_at: null,
      missing_since: null,
      checks: 0,
      next_check_at: after(verifiedPauseMs),
    };
  }
  const unknown = !needed.includes(false);
  if (row.status === "verified") return classifyMissing(checked, unknown, now);
  if (row.status === "failed") return { ...checked, next_check_at: null };
  if (!unknown && now.getTime() - row.pending_since.getTime() >= deadlineMs)
    return { ...checked, status: "failed", failed_at: now, next_check_at: null };
  return { ...checked, next_check_at: after(Math.min(minuteMs * 2 ** Math.min(row.checks, 20), longestPauseMs)) };
}

/** A verified domain can still send while its records are missing for a while: zones are moved, and name servers have outages. */
function classifyMissing(checked: DomainRow, unknown: boolean, now: Date): DomainRow {
  const next_check_at = new Date(now.getTime() + missingPauseMs);
  if (unknown) return { ...checked, next_check_at };
  const missing_since = checked.missing_since ?? now;
  if (now.getTime() - missing_since.getTime() < deadlineMs) return { ...checked, missing_since, next_check_at };
  return { ...checked, missing_since, status: "failed", failed_at: now, next_check_at: null };
}
