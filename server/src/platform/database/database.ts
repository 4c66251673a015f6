import type { Claim, Ctx } from "../context.ts";
import { AppError } from "../errors.ts";
import { runClaimed } from "../idempotency/idempotency.ts";
import { type Db, type Tx, wrapSql } from "../sql.ts";
import { finishBeforeClosing } from "./closing.ts";
import { openPool } from "./driver/connect.ts";
import { isOutdated } from "./driver/statement-names.ts";
import { runTransaction } from "./driver/transaction.ts";
import { notifyHints } from "./hints.ts";

export { isCommitUnknown } from "./driver/transaction.ts";

export interface DatabaseOptions {
  url: string;
  /** Maximum number of connections. */
  max?: number;
  /** How many of them reads by key share. By default, a quarter and at most four. */
  shared?: number;
  /** When a read on a shared connection counts as slow, so that the others move elsewhere, in milliseconds. */
  slowMs?: number;
  applicationName?: string;
  /** How long to wait for a free connection, in milliseconds. */
  waitMs?: number;
  /** How long a statement may wait for a lock, in milliseconds. */
  lockMs?: number;
  /** After how long a wait triggers a check whether the database still responds, in milliseconds. */
  noticeMs?: number;
  /** How long this check may take, in milliseconds. */
  lookMs?: number;
  /** Off for a pooler that gives each transaction another connection: nothing is prepared, and timeouts are set in each transaction. */
  prepare?: boolean;
  /** Called each time the database was found not to respond. Everything that waited for it has failed by then, as unavailable. */
  onUnreachable?: () => void;
  /**
   * Refuses a statement of a transaction while another one is in progress, unless both are sent by `pipeline`; tests use it to find
   * statements that are sent together otherwise.
   */
  oneAtATime?: boolean;
  /** Gets every statement's text before it is sent; tests throw from it to simulate a crash. */
  probe?: (text: string) => void;
}

export interface Database {
  db: Db;
  /** Runs `work` in one transaction; see `Ctx.transact`. */
  transact<T>(work: (tx: Tx) => Promise<T>, claim?: Claim): Promise<T>;
  /** Waits up to `timeoutSeconds` for collected groups, and as long for running statements; then closes every connection. */
  close(timeoutSeconds?: number): Promise<void>;
  /** How often the database was found not to respond. */
  unreachableCount(): number;
}

const attemptsMax = 4;

/** Connects to PostgreSQL. bigint comes back as a safe integer or throws; timestamps come back as `Date`. */
export function openDatabase(options: DatabaseOptions): Database {
  let unreachable = 0;
  const max = options.max ?? 10;
  const pool = openPool(options.url, {
    max,
    shared: options.shared ?? Math.min(4, Math.floor(max / 4)),
    slowMs: options.slowMs ?? 500,
    applicationName: options.applicationName ?? "tillpost",
    waitMs: options.waitMs ?? 15_000,
    lockMs: options.lockMs ?? 15_000,
    noticeMs: options.noticeMs ?? 3_000,
    // With the usual threshold, a wait for a lost database ends within five seconds.
    lookMs: options.lookMs ?? 1_500,
    prepare: options.prepare ?? true,
    onUnreachable() {
      unreachable += 1;
      options.onUnreachable?.();
    },
  });
  const db = wrapSql<Db>({
    probe: options.probe,
    send: (written) => pool.sendAlone(written),
    read: (written) => pool.read(written),
  });
  const rules = { probe: options.probe, oneAtATime: options.oneAtATime ?? false, isRefusal: (error: unknown) => error instanceof AppError };
  return {
    db,
    async close(timeoutSeconds = 5) {
      await finishBeforeClosing(db, timeoutSeconds * 1000);
      await pool.close(timeoutSeconds * 1000);
    },
    unreachableCount: () => unreachable,
    async transact(work, claim) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          let last: Tx | undefined;
          const result = await runTransaction(pool, rules, (sender) => runOnce((last = wrapSql<Tx>(sender)), work, claim));
          if (last !== undefined) notifyHints(db, last);
          // Not before the commit: a second attempt after a lost one must bring the key again.
          if (claim !== undefined) claim.used = true;
          return result;
        } catch (error) {
          if (attempt === attemptsMax || !isRetryable(error)) throw error;
        }
      }
    },
  };
}

function runOnce<T>(tx: Tx, work: (tx: Tx) => Promise<T>, claim?: Claim): Promise<T> {
  return claim === undefined || claim.used ? work(tx) : runClaimed(tx, claim, () => work(tx));
}

/** A context for one request or job, over the process's context. */
export function narrow(ctx: Ctx, given: Partial<Pick<Ctx, "actor" | "requestId" | "claim" | "log">>, database: Database): Ctx {
  const claim = given.claim ?? null;
  return {
    ...ctx,
    ...given,
    transact: (work) => database.transact(work, claim ?? undefined),
    transactUnclaimed: (work) => database.transact(work),
  };
}

/** The SQLSTATE or driver code of a database error, or null for anything else. */
export function databaseCode(error: unknown): string | null {
  if (error instanceof AppError || typeof error !== "object" || error === null) return null;
  const code = (error as { code?: unknown }).code;
  return typeof code === "string" ? code : null;
}

/** True for a unique violation of the given constraint or index. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return databaseCode(error) === "23505" && (error as { constraint?: string }).constraint === constraint;
}

/**
 * True if the database couldn't be reached, went away, ended a session that had been paused, or is read-only (a standby, a full disk); the
 * outcome of a running commit is then unknown.
 */
export function isUnavailable(error: unknown): boolean {
  const code = databaseCode(error);
  return (
    code !== null &&
    (/^(08|57P0|53|58|25006|25P03|25P04)/.test(code) ||
      /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ETIMEDOUT|ENOENT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/.test(code) ||
      isTlsFault(error))
  );
}

const tlsCodes = /^(TLS_NOT_OFFERED|ERR_TLS_|ERR_SSL_|EPROTO|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/;

/** True if the server's TLS, or its absence, prevented a connection. */
export function isTlsFault(error: unknown): boolean {
  return tlsCodes.test(databaseCode(error) ?? "");
}

/** True for errors after which `transact` runs its work again, because the next attempt may succeed. */
export function isRetryable(error: unknown): boolean {
  const code = databaseCode(error);
  return code === "40001" || code === "40P01" || isOutdated(error);
}
