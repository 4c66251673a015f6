import { type Ctx, hint, sweepRows, type Tenant, type Tx, updatePlanning } from "#platform/index.ts";
import { deleteSkip, insertSkip, lockSkips, type SkipRow, updateSkippedOf } from "./skip.sql.ts";

/** How many deliveries are skipped together with the change of their endpoint, and how many at a time afterwards. */
const withChange = 1_000;
const atOnce = 5_000;

/**
 * Skips an endpoint's pending deliveries in the transaction that disables, enables or changes it, except events of the given names and
 * families. What exceeds a portion is noted for `skipNoted`, and nothing is sent to the endpoint until it is skipped too: the outcome never
 * depends on when a sweep runs, and the transaction never on the length of the backlog.
 */
export async function skipPending(tx: Tx, endpoint: Tenant & { id: string }, kept_events: string[] | null): Promise<void> {
  const skipped = await updateSkippedOf(tx, endpoint, { kept_events, due_before: null, limit: withChange });
  if (skipped === withChange) await insertSkip(tx, endpoint, kept_events);
}

/** Skips the next portion of what was noted. Returns 0 once nothing is left. */
export function skipNoted(ctx: Ctx): Promise<number> {
  return sweepRows<SkipRow>(ctx, {
    task: "tidy_deliveries",
    kind: "skip",
    limit: 1,
    async take(tx, wanted) {
      await updatePlanning(tx);
      return lockSkips(tx, wanted);
    },
    nameOf: ({ id }) => String(id),
    ownerOf: ({ project_id }) => project_id,
    async work(tx, noted) {
      let done = 0;
      for (const one of noted) done += await skipOf(tx, one);
      return done;
    },
  });
}

async function skipOf(tx: Tx, noted: SkipRow): Promise<number> {
  const skipped = await updateSkippedOf(tx, { ...noted, id: noted.endpoint_id }, { ...noted, limit: atOnce });
  if (skipped < atOnce) {
    await deleteSkip(tx, noted);
    hint(tx, "deliveries");
  }
  return Math.max(1, skipped);
}
