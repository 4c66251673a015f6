import { setTimeout as pause } from "node:timers/promises";

const attempts = 40;

/**
 * Repeats `work` while it fails to get a lock in time. A statement that waits for a table's lock blocks every later statement, so it gives
 * up after two seconds, lets them pass and retries. Throws a clear message after some minutes; nothing is applied then.
 */
export async function withLockTimeout(name: string, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const { code } = error as { code?: string };
      if (code !== "55P03" && code !== "40P01") throw error;
      if (attempt === attempts) {
        throw new Error(
          `${name} didn't get its lock in ${attempts} attempts and wasn't applied. End long transactions (pg_stat_activity) and run migrate again.`,
          { cause: error },
        );
      }
      await pause(Math.min(100 * attempt, 2_000));
    }
  }
}
