import { pipeline, type Tx } from "#platform/index.ts";
import { updateSpending } from "./spending.sql.ts";
import { type Freed, type Settlement, updateCharges } from "./sql.ts";

/** Returns unused reservations of LIVE messages and calls that cost less. Each is settled once. */
export async function settleCharges(tx: Tx, settled: readonly Settlement[]): Promise<void> {
  if (settled.length === 0) return;
  const freed = (await updateCharges(tx, settled)).filter((one) => one.freed !== 0);
  if (freed.length === 0) return;
  const parts = freed.flatMap((one) => [
    { ...one, period: one.day },
    { ...one, period: one.day.slice(0, 7) },
  ]);
  const sums = [
    ...Map.groupBy(parts, ({ project_id, livemode, measure, currency, period }) =>
      [project_id, livemode, measure, currency, period].join(" "),
    ).values(),
  ] as [Part, ...Part[]][];
  await pipeline(tx, (pipe) => [
    sums
      .toSorted(([left], [right]) => byPeriodLast(left, right))
      .map((members) => {
        const [{ project_id, livemode, ...counted }] = members;
        return updateSpending(pipe, { project_id, livemode }, { ...counted, freed: members.reduce((sum, one) => sum + one.freed, 0) });
      }),
  ]);
}

interface Part extends Freed {
  period: string;
}

/** The order in which acceptance locks their rows: by project and measure, days before their months. A row counts several currencies. */
function byPeriodLast(left: Part, right: Part): number {
  const [leftGroup, rightGroup] = [left, right].map(({ project_id, livemode, measure }) => `${project_id} ${livemode} ${measure}`);
  if (leftGroup !== rightGroup) return (leftGroup ?? "") < (rightGroup ?? "") ? -1 : 1;
  return right.period.length - left.period.length || (left.period < right.period ? -1 : 1);
}
