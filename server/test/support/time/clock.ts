import { renameSync, rmSync, writeFileSync } from "node:fs";
import type pg from "pg";

/** A clock that is stopped until a test moves it or lets it run. */
export interface Clock {
  now(): Date;
  set(instant: Date | string): void;
  /** Moves forward by milliseconds. */
  advance(byMs: number): void;
  /** Runs with the machine's clock until it is set: for tests that start programs, which have no other. */
  run(): void;
}

/** `onChange` receives each new time of the clock, including the first one; null means that it runs. */
export function stoppedClock(start: Date | string, onChange: (instant: Date | null) => void = () => {}): Clock {
  let at = 0;
  let goes = false;
  const show = (ms: number) => {
    at = ms;
    goes = false;
    onChange(new Date(at));
  };
  const shown = () => (goes ? new Date() : new Date(at));
  show(new Date(start).getTime());
  return {
    now: shown,
    set: (instant) => show(new Date(instant).getTime()),
    advance: (byMs) => show(shown().getTime() + byMs),
    run() {
      goes = true;
      onChange(null);
    },
  };
}

/**
 * Makes `app_now()` of this database, and of every copy of it, return the time in the file with the database's name: `writeClock` moves the
 * time of every connection at once. A database without a file has the server's time, as in production.
 */
export async function readClockFrom(folder: string, admin: pg.Client): Promise<void> {
  await admin.query(`
    create or replace function app_now() returns timestamptz language sql stable parallel safe security definer as $$
      select coalesce(pg_read_file('${folder}/' || current_database(), 0, 24, true)::timestamptz,
        date_trunc('milliseconds', statement_timestamp())) $$;
    alter function app_now() owner to current_user`);
}

/** Sets the time of the database whose clock is this file; null: the server's time again. */
export function writeClock(file: string, instant: Date | null): void {
  if (instant === null) return rmSync(file, { force: true });
  // Replaced atomically: a statement must not read half a time.
  writeFileSync(`${file}.next`, instant.toISOString(), { mode: 0o644 });
  renameSync(`${file}.next`, file);
}
