import type { Logger } from "pino";
import type { Db } from "../sql.ts";
import { findNow } from "./now.sql.ts";

/** How far a machine's clock may be from the database's without a warning. */
const alarmMs = 2_000;
const measureEveryMs = 5_000;

/** The database's time, and this process's clocks before and after reading it. */
interface Measured {
  database: Date;
  before: number;
  tookMs: number;
}

/**
 * The clock of one process: this machine's, corrected by the database's. Operations that decide by time read the database's clock itself.
 */
export interface ProcessClock {
  now(): Date;
  /** How far this machine's clock is ahead of the database's. */
  aheadMs(): number;
  /** Compares the clocks once, before this one is used, and keeps comparing them until stopped. */
  follow(): Promise<void>;
  stop(): void;
}

export interface ProcessClockOptions {
  db: Db;
  log: Logger;
  /** The machine's clock. */
  machineNow?: () => number;
}

/**
 * Starts as the machine's clock. Never moves further than a comparison proves, so on a machine with a correct clock it doesn't move at all.
 */
export function createProcessClock({ db, log, machineNow = Date.now }: ProcessClockOptions): ProcessClock {
  let behindMs = 0;
  let isAlarmed = false;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const measure = async () => {
    const [before, startMs] = [machineNow(), performance.now()];
    const database = await findNow(db);
    behindMs = correctionOf(behindMs, { database, before, tookMs: performance.now() - startMs });
    const isFar = Math.abs(behindMs) > alarmMs;
    if (isFar !== isAlarmed) report(log, { isFar, aheadMs: 0 - behindMs });
    isAlarmed = isFar;
  };
  // A database that doesn't respond is reported elsewhere; until it does, the last comparison counts.
  const again = () =>
    void measure()
      .catch(() => undefined)
      .finally(schedule);
  const schedule = () => {
    if (!isStopped) timer = setTimeout(again, measureEveryMs).unref();
  };
  return {
    now: () => new Date(machineNow() + behindMs),
    aheadMs: () => 0 - behindMs,
    async follow() {
      clearTimeout(timer);
      await measure();
      schedule();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/**
 * The database's time was truncated to milliseconds and read at some moment of the wait; so was the machine's. The known offset stays if it
 * is within that range.
 */
function correctionOf(known: number, { database, before, tookMs }: Measured): number {
  const most = database.getTime() + 1 - before;
  const least = most - tookMs - 2;
  return Math.round(Math.min(Math.max(known, least), most));
}

function report(log: Logger, { isFar, aheadMs }: { isFar: boolean; aheadMs: number }): void {
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
  if (!isFar) log.info({ ahead_ms: aheadMs }, "this machine's clock agrees with the database's again");
  else
    log.error(
      { code: "clock_skewed", ahead_ms: aheadMs },
      `This machine's clock is ${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} the database's. Its times are corrected; turn on time synchronization (chrony or systemd-timesyncd) on both machines.`,
    );
}
