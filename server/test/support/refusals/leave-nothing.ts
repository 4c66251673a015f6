import { expect } from "vitest";
import type { TestApp } from "#test/support/app/test-app.ts";
import { fingerprintDatabase } from "#test/support/database/whole-database.sql.ts";

/** How refused requests are prepared and sent. */
export interface Trial<Row, World> {
  app: TestApp;
  /** What rows share: a tenant and the request that would be accepted, created when a row first needs them. */
  begin(): World;
  /** Prepares a row's request; what it returns sends it and checks how it is refused. */
  prepare(row: Row, world: World): Promise<() => Promise<void>>;
}

/** A row that first changes the state, or that has its own tenant, shares nothing with the others. */
interface AnyRow {
  name: string;
  given?: unknown;
  tenant?: unknown;
}

/** Whether a row can share its tenant and the comparison of the database with others. */
export function isShared({ given, tenant }: AnyRow): boolean {
  return given === undefined && tenant === undefined;
}

interface Refuser<Row> {
  /** Tries rows that share in one test. */
  all(rows: readonly Row[]): Promise<void>;
  /** Tries a row that doesn't share, in a test of its own. */
  one(row: Row): Promise<void>;
}

/**
 * Tries the refused requests of a route, which must leave nothing behind. So none affects another: they share a tenant while the clock
 * stands still, and each starts from the database that the previous one left.
 */
export function refuserOf<Row extends AnyRow, World>(trial: Trial<Row, World>): Refuser<Row> {
  let shared: { world: World; at: number } | null = null;
  let left: string | null = null;
  const share = (): World => {
    const at = trial.app.clock.now().getTime();
    if (shared === null || shared.at !== at) {
      shared = { world: trial.begin(), at };
      left = null;
    }
    return shared.world;
  };
  const run = async (rows: readonly Row[], world: World, before: string | null) => {
    // If it fails, the next rows read the database themselves.
    left = null;
    left = await sendAll(trial, rows, { world, before });
  };
  return {
    all(rows) {
      const world = share();
      return run(rows, world, left);
    },
    one: (row) => run([row], trial.begin(), null),
  };
}

/**
 * Sends the rows' requests and compares the database once; if it differs, each row is tried on its own, to find the one that wrote. Returns
 * the database's fingerprint.
 */
async function sendAll<Row extends AnyRow, World>(
  trial: Trial<Row, World>,
  rows: readonly Row[],
  given: { world: World; before: string | null },
): Promise<string> {
  const sends: (() => Promise<void>)[] = [];
  for (const row of rows) sends.push(await trial.prepare(row, given.world));
  const before = given.before ?? (await fingerprintDatabase(trial.app.ctx.db));
  for (const send of sends) await send();
  const after = await fingerprintDatabase(trial.app.ctx.db);
  if (after !== before && rows.length > 1) for (const row of rows) await sendAll(trial, [row], { world: trial.begin(), before: null });
  expect(after, `${rows.map(({ name }) => name).join(", ")} left something behind`).toBe(before);
  return after;
}

/** Makes something once, when it is first needed. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
