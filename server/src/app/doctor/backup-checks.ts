import { lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isNamedAhead, unfinished } from "../backup/archive/backup-folder.ts";
import { findFailure, readBackupState } from "../backup/state/backup-state.ts";
import { findOutage } from "../backup/state/find-outage.ts";
import { isAhead } from "../backup/state/is-ahead.ts";
import type { Settings } from "../config.ts";
import { howToRun } from "../installed/how-to-run.ts";
import type { Finding } from "./checks.ts";

const check = "backup";
/** One missed night, plus half a day to notice it. */
const lateMs = 36 * 3_600_000;

type Needed = Pick<Settings, "DATABASE_URL" | "TILLPOST_DATA_DIR" | "BACKUP_NIGHTLY" | "BACKUP_DIR" | "BACKUP_WAL" | "BACKUP_S3_BUCKET">;

/** Checks whether the embedded database has a backup of the last night. The backups of an operator's own database aren't known here. */
export function checkBackups(settings: Needed, now: Date): Finding[] {
  if (settings.DATABASE_URL !== null) return [];
  return [...checkNewest(settings, now), ...checkFolder(settings.BACKUP_DIR, now), ...checkWal(settings, now)];
}

function checkNewest(settings: Needed, now: Date): Finding[] {
  const known = readBackupState(settings.TILLPOST_DATA_DIR);
  const { taken, verified, uncopied } = known;
  const failed = findFailure(known, settings);
  const fix = `Take one: ${howToRun("backup")}`;
  if (failed !== undefined) return [{ check, state: "fault", message: `the backup at ${failed.at} failed: ${failed.reason}`, fix }];
  const since = taken === undefined ? statSync(join(settings.TILLPOST_DATA_DIR, "postgres.json")).mtime : new Date(taken.at);
  const isLate = now.getTime() - since.getTime() > lateMs;
  if (taken === undefined)
    return isLate || !settings.BACKUP_NIGHTLY
      ? [{ check, state: isLate && settings.BACKUP_NIGHTLY ? "fault" : "note", message: "there is no backup", fix }]
      : [];
  if (isAhead(since, now))
    return [{ check, state: "fault", message: `the newest backup is from ${taken.at}, which is in the future`, fix }];
  if (isLate) return [{ check, state: settings.BACKUP_NIGHTLY ? "fault" : "note", message: `the newest backup is from ${taken.at}`, fix }];
  const notes: Finding[] = [];
  if (uncopied === true && settings.BACKUP_S3_BUCKET !== null)
    notes.push({
      check,
      state: "note",
      message: `the newest backup isn't in the bucket ${settings.BACKUP_S3_BUCKET} yet`,
      fix: `Copy it: ${howToRun("backup --copy")}`,
    });
  if (verified === undefined)
    notes.push({
      check,
      state: "note",
      message: "no backup has been verified yet",
      fix: `Verify one: ${howToRun("restore --verify")} ${taken.path}`,
    });
  return [{ check, state: "fine", message: `the newest backup is ${taken.path}` }, ...notes];
}

/** What the folder of the backups contains and shouldn't. Before the first backup there is none. */
function checkFolder(folder: string, now: Date): Finding[] {
  try {
    const names = readdirSync(folder);
    return [...checkNames(names, { folder, now }), ...checkLeftovers(names, { folder, now })];
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return [];
    const fix = "Make sure that it's a folder, that the user who runs Tillpost can read and write it, and that its disk works.";
    return [{ check, state: "fault", message: `${folder}, the folder of the backups, can't be read: ${message}`, fix }];
  }
}

interface Listed {
  folder: string;
  now: Date;
}

/** Each backup that was taken while the clock was ahead counts as the newest until its time has come, also for `restore bucket:latest`. */
function checkNames(names: string[], { folder, now }: Listed): Finding[] {
  return names
    .filter((name) => isNamedAhead(name, now))
    .map((name) => ({
      check,
      state: "fault",
      message: `${join(folder, name)} is named after a time in the future: the clock was ahead when it was taken`,
      fix: "Move it to another folder, and remove its copy from the bucket, if there is one: `restore bucket:latest` would restore it instead of newer ones.",
    }));
}

/** A backup in progress has one, too, but not for that long, and each run removes earlier ones if it can. */
function checkLeftovers(names: string[], { folder, now }: Listed): Finding[] {
  return names
    .filter((name) => name.startsWith(unfinished))
    .filter((name) => now.getTime() - (lstatSync(join(folder, name), { throwIfNoEntry: false })?.ctimeMs ?? now.getTime()) > lateMs)
    .map((name) => ({
      check,
      state: "fault",
      message: `${join(folder, name)} is left of an interrupted or removed backup, and takes space`,
      fix: "The next backup removes it if it can. If it stays, remove it manually: it may belong to another user.",
    }));
}

function checkWal(settings: Needed, now: Date): Finding[] {
  const outage = findOutage(settings, now);
  if (outage === null) return [];
  const place = outage.bucket === null ? settings.BACKUP_DIR : `the bucket ${outage.bucket}`;
  const who = outage.bucket === null ? "the folder wal in it can be written" : "the store accepts it";
  const message = `the write-ahead log hasn't been copied to ${place} since ${outage.at}: ${outage.reason}`;
  // The pieces for the bucket wait in the folder, and those for the folder in the database.
  const then =
    outage.bucket === null
      ? "Tillpost then copies what the database has kept. If it had to discard some of it, `--at` works again from the next backup on."
      : "Tillpost then copies everything that is missing.";
  return [{ check, state: "fault", message, fix: `Make sure that ${who}. ${then}` }];
}
