import type { Ctx } from "../context.ts";
import { isCommitUnknown, isRetryable, isUnavailable } from "../database/database.ts";
import type { Db } from "../sql.ts";

/** A row that failed is tried again with the next pass, then after this time, which doubles up to the longest. */
const firstMs = 1_000;
const longestMs = 900_000;
/** How many failed rows of a kind a process remembers. The earliest are forgotten first, and are processed with the others again. */
const rememberedMost = 2_000;
/** How many failures of one pass are logged. */
const loggedMost = 20;
/** After so many failures one after the other, the cause is probably none of the rows: the rest waits for the next pass. */
const failuresMost = 5;
/**
 * Each pass in a row that ends so takes twice as many, up to this: one tenant's many rows keep those of the others waiting for less long.
 * It is fewer than the portions of tasks have, or nothing would end a pass in which everything fails.
 */
const patienceMost = 40;
/**
 * After so many failures of one tenant's rows one after the other, its further rows are put off untried: it can neither use up the patience
 * of a pass nor its time.
 */
const ownFailuresMost = 3;

/** The rows that a task processes, for its log and its metric. */
export interface SweptKind {
  task: string;
  /** What a row is, such as `order`. */
  kind: string;
}

/** One pass of a task over rows of many tenants. A row that fails is put off, and stops none of the others. */
export interface SweepPass {
  /** Rows that failed before, and aren't tried in this pass. */
  readonly waiting: readonly string[];
  /** Rows that failed before, and are tried again in this pass. */
  readonly due: readonly string[];
  /** Runs the work of one row; null if it was put off, now or before. Throws errors that aren't about the row, such as a deadlock. */
  attempt<T>(name: string, work: () => Promise<T>): Promise<T | null>;
  /**
   * `attempt` for one row after the other: throws the last error once several have failed for the first time and none has succeeded,
   * because the cause is then probably none of them. They stay put off, and the task is tried again at growing intervals. Rows of one
   * `owner` can't be all of those: after its first few failures, its further rows are put off untried.
   */
  attemptInTurn<T>(name: string, work: () => Promise<T>, owner?: string): Promise<T | null>;
  /** The latest error if rows were put off untried and none has succeeded in turn; otherwise null. */
  unresolved(): unknown;
  /**
   * Called by the work of a row that it doesn't find: another process may have locked it. A row that failed before is then tried once more,
   * as late as after another failure, and only forgotten if it isn't found again.
   */
  miss(name: string): void;
  /** `attempt` for each row, those that failed before last. Returns how many succeeded. */
  each<Row>(rows: readonly Row[], nameOf: (row: Row) => string, work: (row: Row) => Promise<unknown>): Promise<number>;
  /** Ends a pass over all rows: one that failed before and isn't among those of two passes in a row needs nothing any more. */
  end(): void;
}

interface PutOff {
  /** Its tenant, or its own name. */
  owner: string;
  failures: number;
  /** When it is tried again, by `performance.now()`. */
  untilMs: number;
  /** Whether the latest attempt didn't find it. */
  isMissed: boolean;
}

/** What a process knows about the rows of one kind. */
interface KnownRows {
  rows: Map<string, PutOff>;
  /** After how many first failures without a success a pass ends. */
  patience: number;
}

const allKnown = new WeakMap<Db, Map<string, KnownRows>>();

/** How many rows failed in a task of this process and are tried again at growing intervals. */
export function countPutOff(db: Db, task: string): number {
  let count = 0;
  for (const [name, { rows }] of allKnown.get(db) ?? []) if (name.startsWith(`${task} `)) count += rows.size;
  return count;
}

/** Begins a pass of a task; the rows that failed in earlier ones are remembered in this process. */
export function beginPass({ db, log }: Pick<Ctx, "db" | "log">, { task, kind }: SweptKind): SweepPass {
  const known = knownOf(db, `${task} ${kind}`);
  const { rows } = known;
  const startMs = performance.now();
  const names = [...rows.keys()];
  const isDue = (name: string) => (rows.get(name)?.untilMs ?? 0) <= startMs;
  const [waiting, due] = [names.filter((name) => !isDue(name)), names.filter(isDue)];
  const [skipped, failedBefore] = [new Set(waiting), new Set(due)];
  // `seen` only has rows that failed before: a pass can go through any number of others.
  const [seen, missed] = [new Set<string>(), new Set<string>()];
  const owners = createOwners();
  const tryRow = createTry({ known, skipped, failedBefore, seen, missed, owners, note: createLog(log, { task, kind }) });
  const turn = inTurn(known, tryRow, (name) => !failedBefore.has(name));
  const attempt = async <T>(name: string, work: () => Promise<T>): Promise<T | null> => {
    const ended = await tryRow(name, work);
    return ended === null || !ended.ok ? null : ended.value;
  };
  return {
    waiting,
    due,
    attempt,
    attemptInTurn: turn.attempt,
    unresolved: () => (turn.hasSucceeded() ? null : owners.error()),
    miss: (name) => void missed.add(name),
    each(all, nameOf, work) {
      for (const row of all) if (failedBefore.has(nameOf(row))) seen.add(nameOf(row));
      const tried = all.filter((row) => !skipped.has(nameOf(row)));
      return attemptEach(attempt, { rows: lastOnes(tried, (row) => failedBefore.has(nameOf(row))), nameOf, work });
    },
    end() {
      for (const name of due) if (!seen.has(name)) noteMissed(rows, name, () => 0);
    },
  };
}

/** What a pass knows about rows: those that it skips, that failed before, that it has seen of these, and that their work didn't find. */
interface PassRows {
  known: KnownRows;
  skipped: ReadonlySet<string>;
  failedBefore: ReadonlySet<string>;
  seen: Set<string>;
  missed: Set<string>;
  owners: ReturnType<typeof createOwners>;
  note(row: string, error: unknown): void;
}

/** Tries one row, and keeps how that ended. */
function createTry({ known, skipped, failedBefore, seen, missed, owners, note }: PassRows): TryRow {
  const { rows } = known;
  return async (name, work, owner = rows.get(name)?.owner ?? name) => {
    if (failedBefore.has(name)) seen.add(name);
    if (skipped.has(name)) return null;
    if (owners.isFailing(owner)) {
      if (!failedBefore.has(name)) putOff(rows, { name, owner });
      return null;
    }
    try {
      const value = await work();
      const isMissed = missed.delete(name);
      if (isMissed) noteMissed(rows, name, (failures) => pauseAfter(failures + 1));
      else {
        owners.succeed(owner);
        noteSuccess(known, name);
      }
      return { ok: true, value, isMissed };
    } catch (error) {
      if (!isAboutRow(error)) throw error;
      owners.fail(owner, error);
      putOff(rows, { name, owner });
      note(name, error);
      return { ok: false, error };
    }
  };
}

/** Logs the failures of one pass, up to a number. */
function createLog(log: Ctx["log"], { task, kind }: SweptKind): (row: string, err: unknown) => void {
  let failed = 0;
  return (row, err) => {
    failed += 1;
    if (failed <= loggedMost) log.error({ err, task, kind, row }, "a row couldn't be processed; trying again later");
    if (failed === loggedMost) log.error({ task, kind }, "further rows that can't be processed in this pass aren't logged");
  };
}

/** True for errors that aren't about a row: the database is unavailable, or the outcome of a commit unknown. */
export function isShared(error: unknown): boolean {
  return isUnavailable(error) || isCommitUnknown(error);
}

/** False for errors that are shared, and for those after which the whole transaction is run again. */
export function isAboutRow(error: unknown): boolean {
  return !isShared(error) && !isRetryable(error);
}

/** How an attempt ended; null if its row was put off before. */
type Ended<T> = { ok: true; value: T; isMissed: boolean } | { ok: false; error: unknown } | null;
type TryRow = <T>(name: string, work: () => Promise<T>, owner?: string) => Promise<Ended<T>>;

/** Counts the failures of each tenant in a pass, one after the other. */
function createOwners() {
  const failures = new Map<string, number>();
  let lastError: unknown = null;
  return {
    isFailing: (owner: string) => (failures.get(owner) ?? 0) >= ownFailuresMost,
    succeed: (owner: string) => void failures.delete(owner),
    fail(owner: string, error: unknown) {
      const count = (failures.get(owner) ?? 0) + 1;
      failures.set(owner, count);
      if (count >= ownFailuresMost) lastError = error;
    },
    /** Of a tenant whose further rows are put off untried. */
    error: () => lastError,
  };
}

/** Rows that failed before say nothing about the others: each of them is tried at its own time. */
function inTurn(known: KnownRows, tryRow: TryRow, isNew: (name: string) => boolean) {
  let failures = 0;
  let hasSucceeded = false;
  const attempt: SweepPass["attemptInTurn"] = async (name, work, owner) => {
    const ended = await tryRow(name, work, owner);
    if (ended === null) return null;
    if (ended.ok) {
      hasSucceeded ||= !ended.isMissed;
      return ended.value;
    }
    if (isNew(name)) failures += 1;
    if (failures < known.patience || hasSucceeded) return null;
    known.patience = Math.min(known.patience * 2, patienceMost);
    throw ended.error;
  };
  return { attempt, hasSucceeded: () => hasSucceeded };
}

interface Attempted<Row> {
  rows: readonly Row[];
  nameOf(row: Row): string;
  work(row: Row): Promise<unknown>;
}

async function attemptEach<Row>(attempt: SweepPass["attempt"], { rows, nameOf, work }: Attempted<Row>): Promise<number> {
  let done = 0;
  let failures = 0;
  for (const row of rows) {
    const isDone = await attempt(nameOf(row), async () => {
      await work(row);
      return true;
    });
    if (isDone === true) done += 1;
    failures = isDone === true ? 0 : failures + 1;
    if (failures === failuresMost) break;
  }
  return done;
}

/** The same rows, certain ones last. */
function lastOnes<Row>(rows: readonly Row[], isLast: (row: Row) => boolean): Row[] {
  return [...rows.filter((row) => !isLast(row)), ...rows.filter(isLast)];
}

function knownOf(db: Db, kind: string): KnownRows {
  const kinds = allKnown.get(db) ?? new Map<string, KnownRows>();
  allKnown.set(db, kinds);
  const known = kinds.get(kind) ?? { rows: new Map<string, PutOff>(), patience: failuresMost };
  kinds.set(kind, known);
  return known;
}

function noteSuccess(known: KnownRows, name: string): void {
  known.rows.delete(name);
  known.patience = failuresMost;
}

function putOff(rows: Map<string, PutOff>, { name, owner }: { name: string; owner: string }): void {
  const failures = (rows.get(name)?.failures ?? 0) + 1;
  // The latest is last.
  rows.delete(name);
  rows.set(name, { owner, failures, untilMs: performance.now() + pauseAfter(failures), isMissed: false });
  for (const earliest of rows.keys()) {
    if (rows.size <= rememberedMost) break;
    rows.delete(earliest);
  }
}

/** A row that isn't found for the second time in a row needs nothing any more. */
function noteMissed(rows: Map<string, PutOff>, name: string, pauseOf: (failures: number) => number): void {
  const known = rows.get(name);
  if (known === undefined) return;
  rows.delete(name);
  if (!known.isMissed) rows.set(name, { ...known, untilMs: performance.now() + pauseOf(known.failures), isMissed: true });
}

function pauseAfter(failures: number): number {
  return failures === 1 ? 0 : Math.min(firstMs * 2 ** (failures - 2), longestMs);
}
