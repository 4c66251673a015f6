import { afterAll, beforeEach, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { startDatabaseProxy } from "#test/support/network/database-proxy.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { createWaitLimit, isCommitUnknown, isUnavailable, openDatabase } from "../index.ts";

const app = await testApp({ asSuperuser: true });
const proxy = await startDatabaseProxy(app.url);
const name = "request-waits";
// Each wait's own limit is far longer than a test may take: what ends one here is its request's.
const waits = { waitMs: 600_000, lockMs: 600_000, noticeMs: 600_000, applicationName: name };
const database = openDatabase({ url: proxy.url, max: 4, shared: 1, ...waits });
afterAll(async () => {
  await database.close(0);
  await proxy.close();
});
beforeEach(() => {
  proxy.mode = "pass";
});

/** Runs the work of a request that hardly waits. */
const hurried = <T>(work: () => T, ms = 40) => createWaitLimit({ ms }).run(work);
/** Long enough to get as far as the COMMIT on a busy machine. */
const untilCommit = 500;
const one = (on = database) => on.transact((tx) => runStatement<{ one: number }>(tx, "select 1 as one"));
const waitingForLocks = () =>
  runStatement(app.ctx.db, "select from pg_stat_activity where application_name = ? and wait_event_type = 'Lock'", name);

test("a database that accepts and never responds ends every wait of a request, one after the other, and its work is served afterwards", async () => {
  await one();
  proxy.mode = "hold";
  await hurried(async () => {
    for (let wait = 0; wait < 5; wait += 1) {
      await expect(one()).rejects.toSatisfy(isUnavailable);
      await expect(runStatement(database.db, "select 1")).rejects.toSatisfy(isUnavailable);
    }
  });
  proxy.mode = "pass";
  proxy.drop();
  await eventually("served again", () => one().then(Boolean, () => false));
});

test("a request that gets no connection is ended, and the connection is there for the next one", async () => {
  const full = openDatabase({ url: app.url, max: 1, ...waits });
  await full.transact(async () => {
    await expect(hurried(() => one(full))).rejects.toSatisfy(isUnavailable);
  });
  expect((await one(full))[0]?.one).toBe(1);
  await full.close(0);
});

test("a request that waits for a lock is ended, and so is its statement: nothing waits at the server, and nothing was written", async () => {
  await runStatement(app.ctx.db, "create table locked (id int primary key, value int)");
  await runStatement(app.ctx.db, "insert into locked values (1, 0)");
  await app.database.transact(async (tx) => {
    await runStatement(tx, "update locked set value = 1");
    for (const write of [
      () => database.transact((other) => runStatement(other, "update locked set value = 2")),
      () => runStatement(database.db, "select value from locked for update"),
    ]) {
      await expect(hurried(write)).rejects.toSatisfy(isUnavailable);
      await eventually("nothing waits", async () => (await waitingForLocks()).length === 0);
    }
  });
  expect(await runStatement(app.ctx.db, "select value from locked")).toEqual([{ value: 1 }]);
});

test("a COMMIT without a response is unknown, not failed", async () => {
  await eventually("connected", () => one().then(Boolean, () => false));
  const lost = hurried(
    () =>
      database.transact(async (tx) => {
        await runStatement(tx, "select 1");
        proxy.mode = "hold";
      }),
    untilCommit,
  );
  const error = await lost.catch((thrown: unknown) => thrown);
  expect([isCommitUnknown(error), isUnavailable(error)]).toEqual([true, true]);
});

test("a COMMIT that its request no longer waits for takes effect when it can, and keeps its connection until then", async () => {
  await runStatement(app.ctx.db, "create table slow_commits (id int)");
  await runStatement(
    app.ctx.db,
    "create function wait_at_commit() returns trigger language plpgsql as 'begin perform from locked for update; return null; end'",
  );
  await runStatement(
    app.ctx.db,
    `create constraint trigger slow after insert on slow_commits deferrable initially deferred
     for each row execute function wait_at_commit()`,
  );
  const full = openDatabase({ url: app.url, max: 1, shared: 0, ...waits, applicationName: "slow-commits" });
  await one(full);
  const connections = () => runStatement(app.ctx.db, "select from pg_stat_activity where application_name = 'slow-commits'");
  await app.database.transact(async (tx) => {
    await runStatement(tx, "select from locked for update");
    const writing = hurried(() => full.transact((other) => runStatement(other, "insert into slow_commits values (1)")), untilCommit);
    const error = await writing.catch((thrown: unknown) => thrown);
    expect([isCommitUnknown(error), isUnavailable(error)]).toEqual([true, true]);
    await expect(hurried(() => one(full))).rejects.toSatisfy(isUnavailable);
    expect(await connections()).toHaveLength(1);
    expect(await runStatement(app.ctx.db, "select id from slow_commits")).toEqual([]);
  });
  expect((await one(full))[0]?.one).toBe(1);
  expect(await runStatement(app.ctx.db, "select id from slow_commits")).toEqual([{ id: 1 }]);
  await full.close(0);
});

test("other work on the same database keeps its own limits during that time", async () => {
  let isOver = false;
  await app.database.transact(async (tx) => {
    await runStatement(tx, "select from locked for update");
    const patient = database.transact((other) => runStatement(other, "select value from locked for update")).finally(() => (isOver = true));
    await eventually("it waits", async () => (await waitingForLocks()).length === 1);
    await expect(hurried(() => database.transact((other) => runStatement(other, "select from locked for update")))).rejects.toThrow();
    expect(isOver).toBe(false);
    return { patient };
  });
  await eventually("it ends", () => isOver);
});
