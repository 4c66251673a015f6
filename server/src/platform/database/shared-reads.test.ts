import { afterAll, beforeEach, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { readShared, runStatement } from "#test/support/database/statement.sql.ts";
import { startDatabaseProxy } from "#test/support/network/database-proxy.ts";
import { eventually, turns } from "#test/support/time/eventually.ts";
import { isUnavailable, openDatabase } from "../index.ts";

const app = await testApp({ asSuperuser: true });
const operator = app.database.db;
const proxy = await startDatabaseProxy(app.url);
const name = "reads-by-key";
const database = openDatabase({ url: proxy.url, max: 8, shared: 2, slowMs: 100, noticeMs: 400, applicationName: name });
afterAll(async () => {
  await database.close(0);
  await proxy.close();
});
beforeEach(() => {
  proxy.mode = "pass";
});

await runStatement(operator, "create table things (id int primary key, name text not null)");
await runStatement(operator, "insert into things select id, 'thing ' || id from generate_series(1, 1000) id");

const pidOf = async () => (await readShared<{ pid: number }>(database.db, "select pg_backend_pid() as pid"))[0]?.pid ?? 0;
const nameOf = async (id: number) => (await readShared<{ name: string }>(database.db, "select name from things where id = ?", id))[0]?.name;
const isReadOnly = "current_setting('default_transaction_read_only') = 'on'";
const connections = async () =>
  (await runStatement<{ pid: number }>(operator, "select pid from pg_stat_activity where application_name = ?", name)).length;

const held = "pg_advisory_xact_lock_shared(1)";
/** Runs `work`; until it has ended, a read of `held` gets no result. */
const whileHeld = <T>(work: () => Promise<T>) =>
  app.database.transact(async (tx) => {
    await runStatement(tx, "select pg_advisory_xact_lock(1)");
    return await work();
  });

test("many concurrent reads share two connections that only read, and each has its own result", async () => {
  // A read behind a slow one goes elsewhere, and on a busy machine any may be slow.
  const { db, close } = openDatabase({ url: proxy.url, max: 8, shared: 2, slowMs: 60_000, applicationName: "reads-at-once" });
  const ids = Array.from({ length: 500 }, (_none, index) => index + 1);
  const thing = async (id: number) => (await readShared<{ name: string }>(db, "select name from things where id = ?", id))[0]?.name;
  expect(await Promise.all(ids.map(thing))).toEqual(ids.map((id) => `thing ${id}`));
  const rows = await Promise.all(
    ids.map(() => readShared<{ pid: number; only: boolean }>(db, `select pg_backend_pid() as pid, ${isReadOnly} as only`)),
  );
  expect(new Set(rows.map((row) => row[0]?.pid)).size).toBeLessThanOrEqual(2);
  expect(new Set(rows.map((row) => row[0]?.only))).toEqual(new Set([true]));
  const [own] = await runStatement<{ only: boolean }>(db, `select ${isReadOnly} as only`);
  expect(own).toEqual({ only: false });
  await close(0);
});

test("a write is refused there, and nothing is written", async () => {
  const writing = readShared(database.db, "insert into things (id, name) values (0, 'written')");
  await expect(writing).rejects.toThrow("a statement that writes was sent as a read by key");
  await expect(writing).rejects.not.toSatisfy(isUnavailable);
  expect(await runStatement(operator, "select name from things where id = 0")).toEqual([]);
});

test("only the wrong statement fails", async () => {
  const wrong = readShared(database.db, "select 1 / 0");
  const right = nameOf(7);
  await expect(wrong).rejects.toMatchObject({ code: "22012" });
  expect(await right).toBe("thing 7");
});

test("a slow read gets its result, those behind it move elsewhere, and its connection is replaced", async () => {
  const ids = Array.from({ length: 60 }, (_none, index) => index + 1);
  let isAnswered = false;
  const { slow } = await whileHeld(async () => {
    const slow = readShared<{ pid: number }>(database.db, `select pg_backend_pid() as pid, ${held}`).then(([row]) => {
      isAnswered = true;
      return row?.pid;
    });
    expect(await Promise.all(ids.map(nameOf))).toEqual(ids.map((id) => `thing ${id}`));
    expect(await Promise.all(ids.map(nameOf))).toEqual(ids.map((id) => `thing ${id}`));
    expect(isAnswered).toBe(false);
    return { slow };
  });
  const gone = await slow;
  await eventually(
    "the slow read's connection is gone",
    async () => (await runStatement(operator, "select 1 from pg_stat_activity where pid = ?", gone)).length === 0,
  );
  expect(await Promise.all(ids.map(pidOf))).not.toContain(gone);
  expect(await connections()).toBeLessThanOrEqual(8);
});

test("slow reads on all shared connections leave the others their own, and there are never more connections than allowed", async () => {
  const { slow } = await whileHeld(async () => {
    const slow = Array.from({ length: 2 }, () => readShared<{ done: number }>(database.db, `select 1 as done, ${held}`));
    const ids = Array.from({ length: 200 }, (_none, index) => index + 1);
    expect(await Promise.all(ids.map(nameOf))).toEqual(ids.map((id) => `thing ${id}`));
    expect(await connections()).toBeLessThanOrEqual(8);
    return { slow };
  });
  expect((await Promise.all(slow)).map(([row]) => row?.done)).toEqual([1, 1]);
});

test("shared connections cut during reads: what was in progress on them is sent again, and no caller notices", async () => {
  // A read that is slow when its connection is cut is not sent again, and on a busy machine any read may take a while.
  const patient = openDatabase({ url: proxy.url, max: 8, shared: 2, slowMs: 60_000, applicationName: "reads-that-are-cut" });
  const thing = async (id: number) => (await readShared<{ name: string }>(patient.db, "select name from things where id = ?", id))[0]?.name;
  // While both are reconnecting, a read uses its own connection. Those must not be cut, because a read that was sent again isn't sent a
  // third time.
  const shared = async () =>
    (await readShared<{ pid: number }>(patient.db, `select pg_backend_pid() as pid where ${isReadOnly}`)).map(({ pid }) => pid);
  let going = true;
  let right = 0;
  const reader = async (_none: unknown, seed: number) => {
    for (let id = seed + 1; going; id = (id % 1000) + 1) {
      expect(await thing(id)).toBe(`thing ${id}`);
      right += 1;
    }
  };
  const readers = Promise.all(Array.from({ length: 64 }, reader));
  for (let round = 0; round < 3; round += 1) {
    const wanted = right + 200;
    await eventually("two hundred more answers", () => right >= wanted);
    let pids: number[] = [];
    await eventually("a read on a shared connection", async () => {
      pids = (await Promise.all(Array.from({ length: 8 }, shared))).flat();
      return pids.length > 0;
    });
    await runStatement(operator, "select pg_terminate_backend(pid) from unnest(?::int[]) pid", [...new Set(pids)]);
  }
  going = false;
  await readers;
  await patient.close(0);
});

test("four of eight connections cut every 150 ms: every result is right, no caller hangs, and hardly any notices", async () => {
  const cutting = openDatabase({ url: app.url, max: 8, shared: 4, applicationName: "to-be-cut-often" });
  let going = true;
  let right = 0;
  let failed = 0;
  const reader = async (_none: unknown, seed: number) => {
    for (let id = seed + 1; going; id = (id % 1000) + 1) {
      try {
        const [row] = await readShared<{ name: string }>(cutting.db, "select name from things where id = ?", id);
        expect(row?.name).toBe(`thing ${id}`);
        right += 1;
      } catch (error) {
        expect(error).toSatisfy(isUnavailable);
        failed += 1;
      }
    }
  };
  const readers = Array.from({ length: 64 }, reader);
  for (let round = 0; round < 4; round += 1) {
    const wanted = right + 100;
    await eventually("a hundred more answers", () => right >= wanted, { everyMs: 150 });
    await runStatement(
      operator,
      "select pg_terminate_backend(pid) from (select pid from pg_stat_activity where application_name = 'to-be-cut-often' order by random() limit 4) chosen",
    );
  }
  going = false;
  await Promise.all(readers);
  expect(failed).toBeLessThan(right / 20);
  await cutting.close(0);
});

test("a database that doesn't respond ends the wait of shared reads as of any other, and they are served again when it does", async () => {
  const lost = openDatabase({ url: proxy.url, max: 8, shared: 2, noticeMs: 100, lookMs: 200, applicationName: "reads-that-wait" });
  const thing = async (id: number) => (await readShared<{ name: string }>(lost.db, "select name from things where id = ?", id))[0]?.name;
  const isRead = () =>
    thing(1).then(
      (found) => found === "thing 1",
      () => false,
    );
  await eventually("reads are answered", isRead);
  const before = lost.unreachableCount();
  proxy.mode = "hold";
  const waiting = await Promise.allSettled(Array.from({ length: 50 }, (_none, index) => thing(index + 1)));
  for (const outcome of waiting) expect(outcome).toMatchObject({ status: "rejected", reason: expect.toSatisfy(isUnavailable) });
  expect(lost.unreachableCount()).toBe(before + 1);
  proxy.mode = "pass";
  await eventually("reads are answered again", isRead);
  await lost.close(0);
});

test("if nothing is prepared no connection is shared, and nothing of a session remains", async () => {
  const pooled = openDatabase({ url: app.url, max: 4, shared: 2, prepare: false });
  const [row] = await readShared<{ name: string; only: boolean }>(
    pooled.db,
    `select name, ${isReadOnly} as only from things where id = ?`,
    3,
  );
  expect(row).toEqual({ name: "thing 3", only: false });
  expect(await readShared(pooled.db, "select name from pg_prepared_statements")).toEqual([]);
  await pooled.close();
});

test("a column added under load fails no statement, outside transactions, inside them and on shared connections", async () => {
  let going = true;
  let done = 0;
  const again = async (read: () => Promise<{ id: number }[]>) => {
    while (going) {
      const [row] = await read();
      expect(row?.id).toBe(1);
      done += 1;
    }
  };
  const star = "select * from things where id = 1";
  const load = [
    () => readShared<{ id: number }>(database.db, star),
    () => runStatement<{ id: number }>(database.db, star),
    () => database.transact((tx) => runStatement<{ id: number }>(tx, star)),
  ].flatMap((read) => Array.from({ length: 4 }, () => again(read)));
  for (let column = 1; column <= 3; column += 1) {
    const wanted = done + 200;
    await eventually("two hundred more answers", () => done >= wanted);
    await runStatement(operator, `alter table things add column extra_${column} int not null default 0`);
  }
  const wanted = done + 200;
  await eventually("two hundred more answers", () => done >= wanted);
  going = false;
  await Promise.all(load);
});

test("closing ends shared connections and what is in progress on them", async () => {
  const closing = openDatabase({ url: app.url, max: 4, applicationName: "reads-to-close" });
  await readShared(closing.db, "select 1");
  const last = readShared<{ done: number }>(closing.db, "select 1 as done, pg_sleep(0.05)");
  await turns(1);
  await closing.close(5);
  expect((await last)[0]?.done).toBe(1);
  await eventually(
    "no connection is left",
    async () => (await runStatement(operator, "select 1 from pg_stat_activity where application_name = 'reads-to-close'")).length === 0,
  );
});
