import { pipeline, type Tx } from "#platform/index.ts";
import { type Settlement, updateCharges, updateSpending } from "./sql.ts";

/** Returns unused reservations of LIVE messages and calls that cost less. Each is settled once. */
export async function settleCharges(tx: Tx, settled: readonly Settlement[]): Promise<void> {
  if (settled.length === 0) return;
  const freed = (await updateCharges(tx, settled)).filter((one) => one.freed !== 0);
  if (freed.length === 0) return;
  const parts = freed.flatMap((one) => [
    { ...one, period: one.day },
    { ...one, period: one.day.slice(0, 7) },
  ]);
  const sums = Map.groupBy(parts, ({ project_id, livemode, measure, period }) => `${project_id} ${livemode} ${measure} ${period}`);
  // In the order in which acceptance locks them: project, measure, the day before its month.
  const names = [...sums.keys()].sort(byPeriodLast);
  await pipeline(tx, (pipe) => [
    names.map((name) => {
      const members = sums.get(name) as (typeof parts)[number][];
      const [{ project_id, livemode, measure, period }] = members as [(typeof parts)[number]];
      return updateSpending(pipe, { project_id, livemode }, { measure, period, freed: members.reduce((sum, one) => sum + one.freed, 0) });
    }),
  ]);
}

/** Longer names come first among equals: days before their months. */
function byPeriodLast(left: string, right: string): number {
  const [leftGroup, rightGroup] = [left, right].map((name) => name.slice(0, name.lastIndexOf(" ")));
  if (leftGroup !== rightGroup) return (leftGroup ?? "") < (rightGroup ?? "") ? -1 : 1;
  return right.length - left.length || (left < right ? -1 : 1);
}
