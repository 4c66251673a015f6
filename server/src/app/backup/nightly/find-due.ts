import { isAhead } from "../state/is-ahead.ts";

/** The facts that decide whether a backup is due. */
export interface Due {
  now: Date;
  /** When the last one was started, or the installation created. */
  since: Date;
  /** The quiet hour, in the machine's time zone. */
  hour: number;
}

const hourMs = 3_600_000;
/** How long after the quiet hour still counts as quiet. */
const quietMs = 3 * hourMs;
/** A machine that sleeps at night gets its backup during the day. */
const missedMs = 36 * hourMs;

/** Whether a quiet hour has passed since the last backup, or too many were missed. If the clock was set back since, it isn't known. */
export function isBackupDue({ now, since, hour }: Due): boolean {
  if (isAhead(since, now)) return true;
  const quiet = new Date(now);
  quiet.setHours(hour, 0, 0, 0);
  // If the clock is put forward that hour may not exist, and the next one counts.
  const isQuiet = now >= quiet && now.getTime() - quiet.getTime() < quietMs && since < quiet;
  return isQuiet || now.getTime() - since.getTime() > missedMs;
}
