import { expect, test } from "vitest";
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
  status: number;
  code: string;
  given?: unknown;
  tenant?: unknown;
}

const isApart = ({ given, tenant }: AnyRow) => given !== undefined || tenant !== undefined;

interface Refuser<Row> {
  /** Tries all rows in one test. */
  all(rows: readonly Row[]): Promise<void>;
  /** Adds a test for each row: first those that share a tenant, followed by one that compares the database. */
  each(rows: readonly Row[]): void;
}

/**
 * Tries the refused requests of a route, which must leave nothing behind. So none affects another: they share a tenant while the clock
 * stands still, and each starts from the database that the previous one left.
 */
export function refuserOf<Row extends AnyRow, World>(trial: Trial<Row, World>): Refuser<Row> {
  const { clock, ctx } = trial.app;
  let shared: { world: World; at: number } | null = null;
  let left: string | null = null;
  /** Sent since the database was read. */
  let sent: Row[] = [];
  const compare = async () => {
    const [rows, before] = [sent, left];
    if (rows.length === 0) return;
    sent = [];
    const after = await fingerprintDatabase(ctx.db);
    left = after;
    if (after !== before) for (const row of rows) await sendAll(trial, [row], { world: trial.begin(), before: null });
    expect(after, `${namesOf(rows)} left something behind`).toBe(before);
  };
  const share = async (): Promise<World> => {
    const at = clock.now().getTime();
    if (shared?.at === at) return shared.world;
    await compare();
    shared = { world: trial.begin(), at };
    left = null;
    return shared.world;
  };
  const run = async (rows: readonly Row[], world: World) => {
    // If it fails, the next row reads the database itself.
    left = null;
    left = await sendAll(trial, rows, { world, before: null });
  };
  const one = async (row: Row) => {
    const send = await trial.prepare(row, await share());
    left ??= await fingerprintDatabase(ctx.db);
    sent.push(row);
    await send();
  };
  const add = (row: Row, work: () => Promise<void>) =>
    test(`refuses ${row.name} with ${row.status} ${row.code}, leaving nothing behind`, work);
  return {
    all: async (rows) => run(rows, await share()),
    each(rows) {
      const alike = rows.filter((row) => !isApart(row));
      for (const row of alike) add(row, () => one(row));
      if (alike.length > 0) test("has nothing left behind by these", compare);
      for (const row of rows.filter(isApart)) add(row, () => run([row], trial.begin()));
    },
  };
}

function namesOf(rows: readonly AnyRow[]): string {
  return rows.map(({ name }) => name).join(", ");
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
  expect(after, `${namesOf(rows)} left something behind`).toBe(before);
  return after;
}

/** Makes something once, when it is first needed. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
