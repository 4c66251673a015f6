import type { Tx } from "#platform/index.ts";
import { listQuietHours } from "../limits/limits.sql.ts";
import { type QuietKind, quietEnd, usualQuietHours } from "../limits/quiet-hours.ts";
import type { Guard } from "./check-destination.ts";

/** When a LIVE message or call for `at` may be sent; `at` itself outside of quiet hours, and in TEST. */
export function startAfterQuiet(guard: Guard, { kind, country, at }: { kind: QuietKind; country: string; at: Date }): Date {
  const span = guard === null ? null : { ...usualQuietHours, ...guard.quiet_hours }[kind];
  return span === null ? at : quietEnd(at, { country, span });
}

/** A LIVE message or call that is about to be sent. */
interface Sendable {
  id: string;
  project_id: string;
  /** The recipient's country. */
  receiver: string;
  /** null: it doesn't wait. */
  quiet_kind: QuietKind | null;
}

/** When quiet hours end for those that are in them now, by id; the others are omitted. */
export async function findQuietEnds(tx: Tx, sendable: readonly Sendable[]): Promise<Map<string, Date>> {
  const projects = new Set(sendable.flatMap((one) => (one.quiet_kind === null ? [] : [one.project_id])));
  const ends = new Map<string, Date>();
  if (projects.size === 0) return ends;
  const hours = new Map((await listQuietHours(tx, [...projects])).map((row) => [row.project_id, row]));
  // Many are to one country, and the time zones of a large one take a while.
  const known = new Map<string, Date>();
  for (const { id, project_id, receiver: country, quiet_kind: kind } of sendable) {
    const own = hours.get(project_id);
    const span = kind === null || own === undefined ? null : { ...usualQuietHours, ...own.quiet_hours }[kind];
    if (own === undefined || span === null) continue;
    const name = `${country} ${span.from} ${span.to}`;
    const end = known.get(name) ?? quietEnd(own.now, { country, span });
    known.set(name, end);
    if (end > own.now) ends.set(id, end);
  }
  return ends;
}
