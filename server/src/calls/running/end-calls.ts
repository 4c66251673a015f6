import { atNow, type Ctx, type Tx } from "#platform/index.ts";
import { type Change, changeCalls } from "../change/change-calls.ts";
import { callFault } from "../change/faults.ts";
import { requeued } from "../change/requeued.ts";
import { updateSteps } from "../change/sql.ts";
import type { CallKey, CallRow, CallStep } from "../shapes.ts";
import { isStarted } from "../states.ts";
import { type CallOutcome, endOf } from "./outcome.ts";

/** The result of one claimed call. `outcome` null: the network wasn't asked to place it, and it is due again. */
interface EndedCall {
  key: CallKey;
  lease: string;
  outcome: CallOutcome | null;
  /** How long it isn't due; without it, another worker may have it right away. */
  retryMs?: number;
}

/**
 * Stores the ends of many calls in one transaction. A worker whose lease has expired changes nothing: the call has ended without it by
 * then.
 */
export async function endCalls(tx: Tx, ctx: Ctx, ended: readonly EndedCall[]): Promise<void> {
  if (ended.length === 0) return;
  const pinned = await atNow(ctx, tx);
  const byId = new Map(ended.map((one) => [one.key.id, one]));
  const mineOf = (call: Readonly<CallRow>) => {
    const one = byId.get(call.id);
    return one !== undefined && call.state === "leased" && call.lease === one.lease ? one : null;
  };
  const keys = ended.map(({ key: { project_id, livemode, id } }) => ({ project_id, livemode, id }));
  // If an answer couldn't be stored when it came, its event is written before the end.
  const late = ended
    .filter(({ outcome }) => outcome?.answeredAt != null)
    .map(({ key: { project_id, livemode, id } }) => ({ project_id, livemode, id }));
  await changeCalls(tx, pinned, {
    keys: late,
    change(call) {
      const { answeredAt: at = null, answeredBy = null } = mineOf(call)?.outcome ?? {};
      return at === null || call.status === "in_progress"
        ? null
        : { to: { status: "in_progress", answered_at: at, answered_by: answeredBy ?? "unknown" } };
    },
  });
  const stepped: (CallKey & { steps: CallStep[] })[] = [];
  await changeCalls(tx, pinned, {
    keys,
    change(call) {
      const mine = mineOf(call);
      if (mine?.outcome != null && mine.outcome.steps.length > 0) stepped.push({ ...mine.key, steps: mine.outcome.steps });
      return changeOf(call, mine, pinned.now());
    },
  });
  await updateSteps(tx, stepped);
}

function changeOf(call: Readonly<CallRow>, mine: EndedCall | null, now: Date): Change | null {
  if (mine === null) return null;
  const { outcome, retryMs } = mine;
  if (outcome !== null) return { to: { ...endOf(outcome), gathered: { ...call.gathered, ...outcome.gathered }, deaths: 0 } };
  // Released, although the network may have been asked to place it.
  if (isStarted(call.status)) return { to: { status: "failed", ended_at: call.updated_at, error: callFault("not_placed") } };
  const due_at = retryMs === undefined ? call.due_at : new Date(now.getTime() + retryMs);
  return { to: { ...requeued(call, { now, due_at }), attempts: call.attempts - 1 } };
}
