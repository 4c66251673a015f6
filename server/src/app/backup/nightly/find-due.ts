/** What decides whether a backup is due. */
export interface Due {
  now: Date;
  /** When the last one was begun, or the installation made. */
  since: Date;
  /** The quiet hour, in the time zone of the machine. */
  hour: number;
}

const hourMs = 3_600_000;
/** So long after the quiet hour it counts as quiet. */
const quietMs = 3 * hourMs;
/** A machine that sleeps at night has its backup by day. */
const missedMs = 36 * hourMs;

/** Whether a quiet hour has come since the last backup, or too many were missed. */
export function isBackupDue({ now, since, hour }: Due): boolean {
  const quiet = new Date(now);
  quiet.setHours(hour, 0, 0, 0);
  // Where the clock is put forward that hour may not exist, and the next one counts.
  const isQuiet = now >= quiet && now.getTime() - quiet.getTime() < quietMs && since < quiet;
  return isQuiet || now.getTime() - since.getTime() > missedMs;
}
