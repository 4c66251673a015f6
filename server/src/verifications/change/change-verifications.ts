import { emitAll, type NewEvent } from "#events/index.ts";
import { historyOf } from "#messaging/index.ts";
import { type Ctx, pipeline, type Tenant, type Tx } from "#platform/index.ts";
import { withdrawCodes } from "../carriers/carriers.ts";
import { type HeldVerification, updateVerification } from "../rows/rows.sql.ts";
import { verificationStates } from "../states.ts";
import { verificationEvent } from "../verification-events.ts";

/** The change of a locked verification. */
interface Change {
  to: Partial<HeldVerification>;
  /** An event in addition to that of a new status. */
  notify?: string;
}

/**
 * The only way in which verifications change: moves rows that the transaction has locked, emits events, and withdraws the messages of ended
 * ones. `pinned` has the database's time.
 */
export async function changeVerifications(
  tx: Tx,
  pinned: Ctx,
  { held, change }: { held: readonly HeldVerification[]; change(row: HeldVerification): Change | null },
): Promise<void> {
  const notified: (NewEvent & { tenant: Tenant })[] = [];
  const written: HeldVerification[] = [];
  const ended: HeldVerification[] = [];
  for (const row of held) {
    const wanted = change(row);
    if (wanted === null) continue;
    const { before, events } = apply(row, wanted, pinned.now());
    notified.push(...events);
    written.push(row);
    if (row.status !== before) ended.push(row);
  }
  await pipeline(tx, (pipe) => [
    written.map((row) => updateVerification(pipe, row, verificationStates.moves)),
    emitAll(pipe, pinned, notified),
  ]);
  if (ended.length > 0) await withdrawCodes(tx, pinned, ended);
}

/** Changes the row in memory and returns the events to emit. */
function apply(row: HeldVerification, { to, notify }: Change, now: Date) {
  const before = row.status;
  const history = historyOf(row, now);
  verificationStates.check([before], to.status ?? before);
  Object.assign(row, to, { updated_at: now });
  if (row.status !== before) Object.assign(row, { version: row.version + 1, ended_at: now, fallback_at: null, code_mac: null });
  const names = [...(notify === undefined ? [] : [notify]), ...(row.status === before ? [] : [row.status])];
  const events = names.map((name) => {
    const place = history.next(name);
    return verificationEvent(row, name, place);
  });
  return { before, events };
}

/** A locked verification without the MAC of its code, for responses and stored results. */
export function plainOf({ code_mac: _mac, ...row }: HeldVerification) {
  return row;
}
