import { spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { processEnvironment } from "../../config.ts";
import { historyOf } from "../../embedded/index.ts";
import { openKeySource } from "../../master-keys/index.ts";
import type { Runtime } from "../../runtime/index.ts";
import { backupReserveBytes, openBackupFolder, requireMounted } from "../archive/backup-folder.ts";
import { megabytes } from "../archive/megabytes.ts";
import { readBackupState } from "../state/backup-state.ts";
import { isAhead } from "../state/is-ahead.ts";
import { recordFailure } from "../state/record-failure.ts";
import { estimateBytes } from "./estimate-bytes.ts";
import { isBackupDue } from "./find-due.ts";
import { keepNewest, makeRoom } from "./make-room.ts";
import { findSystemId } from "./sql.ts";

/** The nightly backup, taken by a separate process. */
export interface Nightly {
  stop(): Promise<void>;
}

export interface NightlyOptions {
  everyMs?: number;
  /** The environment of the backup process. */
  env?: NodeJS.ProcessEnv;
}

type Source = Pick<Runtime, "ctx" | "log" | "settings">;

const main = fileURLToPath(new URL("../../../main.ts", import.meta.url));
/** After a failure the next attempt follows this soon, also during the day. */
const againMs = 3_600_000;
/** A backup that takes longer is stuck. */
const longestMs = 12 * 3_600_000;

/** Checks once a minute whether a backup is due, and takes it. Failures are logged and remembered. */
export function startNightly(runtime: Source, { everyMs = 60_000, env = processEnvironment() }: NightlyOptions = {}): Nightly {
  const ending = new AbortController();
  let running: Promise<void> | undefined;
  const look = async () => {
    const due = await findDue(runtime);
    if (due === null) return;
    const next = new AbortController();
    const run: Run = { log: runtime.log, env, ending: AbortSignal.any([ending.signal, next.signal]) };
    const before = readBackupState(runtime.settings.TILLPOST_DATA_DIR).taken?.path;
    // A copy to the bucket ends when another backup is due and isn't refused, and is repeated after that one.
    const endCopy = async () => {
      const isCopying = due === "copy" || readBackupState(runtime.settings.TILLPOST_DATA_DIR).taken?.path !== before;
      if (!isCopying || (await findDue(runtime)) !== "take") return;
      await prepare(runtime, runtime.ctx.now()).then(
        () => next.abort(),
        (error: Error) => fail(runtime, { reason: error.message }),
      );
    };
    let preparing: Promise<void> | undefined;
    const looking = setInterval(() => {
      preparing ??= endCopy()
        .catch(() => undefined)
        .finally(() => (preparing = undefined));
    }, everyMs);
    await (due === "take" ? take(runtime, run) : copy(runtime, run)).finally(async () => {
      clearInterval(looking);
      // The next attempt would find the folder locked.
      await preparing;
    });
  };
  const timer = setInterval(() => {
    running ??= look()
      .catch((error: Error) => fail(runtime, { reason: error.message }))
      .catch((error: Error) =>
        runtime.log.error({ reason: error.message }, "the nightly backup failed, and the failure couldn't be recorded"),
      )
      .finally(() => (running = undefined));
  }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      ending.abort();
      await running;
    },
  };
}

/** Whether a backup is due, or the last one still has to be copied to the bucket. */
async function findDue({ ctx, settings }: Source): Promise<"take" | "copy" | null> {
  const { taken, uncopied, failed, wal_began } = readBackupState(settings.TILLPOST_DATA_DIR);
  const now = ctx.now();
  // The write-ahead log is useless until there is a backup that it follows, and none was tried since.
  if (wal_began !== undefined && !wasTried({ failed, since: wal_began.at, now })) return "take";
  const isRecent = ({ at }: { at: string }) => !isAhead(at, now) && now.getTime() - Date.parse(at) < againMs;
  // Before a copy, which may take hours.
  if (failed !== undefined && !isRecent(failed)) return "take";
  const since = taken === undefined ? (await stat(join(settings.TILLPOST_DATA_DIR, "postgres.json"))).mtime : new Date(taken.at);
  if (failed === undefined && isBackupDue({ now, since, hour: settings.BACKUP_HOUR })) return "take";
  const isUncopied = uncopied === true || (uncopied !== undefined && !isRecent(uncopied));
  return isUncopied && settings.BACKUP_S3_BUCKET !== null ? "copy" : null;
}

/** Whether an attempt failed since a time. Both may have been recorded while the clock was ahead. */
function wasTried({ failed, since, now }: { failed: { at: string } | undefined; since: string; now: Date }): boolean {
  return failed !== undefined && !isAhead(failed.at, now) && (failed.at > since || isAhead(since, now));
}

interface Run {
  log: Runtime["log"];
  env: NodeJS.ProcessEnv;
  ending: AbortSignal;
}

/** The last one was taken, but isn't in the bucket yet. */
async function copy(runtime: Source, run: Run): Promise<void> {
  const reason = await runBackup(["--copy"], run);
  if (reason !== null && !run.ending.aborted) await fail(runtime, { reason, copying: true });
}

/** Makes room for a backup. Throws a readable error if none can be taken. */
async function prepare(runtime: Source, now: Date): Promise<void> {
  const { ctx, settings } = runtime;
  await requireMounted(settings);
  const bytes = readBackupState(settings.TILLPOST_DATA_DIR).taken?.bytes ?? (await estimateBytes(runtime));
  const current = { system_id: await findSystemId(ctx.db), history: historyOf(settings.TILLPOST_DATA_DIR) };
  // Opening it removes what a killed backup left: good backups mustn't make room for that.
  const folder = await openBackupFolder(settings.BACKUP_DIR);
  const fits = await makeRoom(folder, { bytes, reserveBytes: backupReserveBytes(settings), now, current }).finally(folder.release);
  if (!fits) throw new Error(`Not enough disk space in ${settings.BACKUP_DIR}: two backups must fit, and one takes ${megabytes(bytes)}`);
}

async function take(runtime: Source, run: Run): Promise<void> {
  const { ctx, log, settings } = runtime;
  const now = ctx.now();
  const before = readBackupState(settings.TILLPOST_DATA_DIR).taken;
  await prepare(runtime, now);
  const reason = await runBackup([], run);
  if (run.ending.aborted) return;
  // A backup that isn't in the bucket yet still counts as one.
  const isTaken = reason === null || readBackupState(settings.TILLPOST_DATA_DIR).taken?.path !== before?.path;
  if (isTaken)
    await keepNewest(settings.BACKUP_DIR, { keep: settings.BACKUP_KEEP, now }).catch((error: Error) =>
      log.error({ reason: error.message }, "earlier backups couldn't be removed"),
    );
  if (reason !== null) return await fail(runtime, { reason, copying: isTaken && settings.BACKUP_S3_BUCKET !== null });
  log.info(
    { path: readBackupState(settings.TILLPOST_DATA_DIR).taken?.path, master_keys: openKeySource(settings).name },
    "backed up; the master keys are not part of it, keep a copy of them in another place",
  );
}

/** Runs as a separate process, so that its computations don't delay requests. Returns why it failed, or null. */
async function runBackup(options: string[], { log, env, ending }: Run): Promise<string | null> {
  // A signal that was aborted before has no event any more.
  if (ending.aborted) return "Tillpost is being stopped";
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, "backup", ...options], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const end = () => child.kill("SIGKILL");
  ending.addEventListener("abort", end);
  const late = setTimeout(end, longestMs);
  let output = "";
  child.stderr.on("data", (part: Buffer) => (output = `${output}${part}`.slice(-2_000)));
  try {
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) return output.trim() || `the process ended with ${code}`;
    if (output.trim() !== "") log.error({ reason: output.trim() }, "backed up, but reported a problem");
    return null;
  } finally {
    clearTimeout(late);
    ending.removeEventListener("abort", end);
  }
}

async function fail(runtime: Source, failure: { reason: string; copying?: boolean }): Promise<void> {
  runtime.log.error({ reason: failure.reason }, "the nightly backup failed; trying again in an hour");
  await recordFailure(runtime, { at: runtime.ctx.now().toISOString(), ...failure });
}
