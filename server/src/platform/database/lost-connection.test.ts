import { afterAll, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { isUnavailable, openDatabase, type Tx } from "../index.ts";
import { trySavepoint } from "../sql.ts";

const { url, database: operator } = await testApp({ asSuperuser: true });
const database = openDatabase({ url, max: 4, shared: 0, applicationName: "to-be-cut" });
afterAll(() => database.close(0));

const pidOf = async (tx: Tx) => (await runStatement<{ pid: number }>(tx, "select pg_backend_pid() as pid"))[0]?.pid ?? 0;
const cut = (pid: number) => runStatement(operator.db, "select pg_terminate_backend(?)", pid);
const cutAll = () =>
  runStatement(operator.db, "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'to-be-cut'");
const isSleeping = async (pid: number) =>
  (await runStatement(operator.db, "select 1 from pg_stat_activity where pid = ? and state = 'active' and query like '%pg_sleep%'", pid))
    .length > 0;
const answers = () => database.transact(async (tx) => (await runStatement<{ one: number }>(tx, "select 1 as one"))[0]?.one);

test("a connection cut between two statements only fails its transaction", async () => {
  const lost = database.transact(async (tx) => {
    await cut(await pidOf(tx));
    return pidOf(tx);
  });
  await expect(lost).rejects.toSatisfy(isUnavailable);
  expect(await answers()).toBe(1);
});

test("a connection cut under a running statement only fails its transaction", async () => {
  const lost = database.transact(async (tx) => {
    const pid = await pidOf(tx);
    const cutting = eventually("the statement runs", () => isSleeping(pid)).then(() => cut(pid));
    await Promise.all([runStatement(tx, "select pg_sleep(60)"), cutting]);
  });
  await expect(lost).rejects.toSatisfy(isUnavailable);
  expect(await answers()).toBe(1);
});

test("a statement after its transaction's end is refused, not run elsewhere", async () => {
  await runStatement(database.db, "create table if not exists strays (name text)");
  const leaked: Tx[] = [];
  await database.transact(async (tx) => void leaked.push(tx));
  const lost = database.transact(async (tx) => {
    leaked.push(tx);
    await cut(await pidOf(tx));
    // The loss shows in the next statement, however late it comes.
    await answers();
    await runStatement(tx, "insert into strays values ('stray')");
  });
  await expect(lost).rejects.toSatisfy(isUnavailable);
  await answers();
  for (const tx of leaked)
    await expect(runStatement(tx, "insert into strays values ('stray')")).rejects.toThrow("after its transaction had ended");
  expect(await runStatement(operator.db, "select * from strays")).toEqual([]);
});

test("a failed statement fails its transaction, also if the work ignored it", async () => {
  const passedOver = database.transact(async (tx) => {
    await runStatement(tx, "insert into strays values ('before')");
    await runStatement(tx, "select 1 / 0").catch(() => {});
  });
  await expect(passedOver).rejects.toThrow("division by zero");
  const sentTogether = database.transact(async (tx) => {
    await Promise.allSettled([
      runStatement(tx, "insert into strays values ('together')"),
      runStatement(tx, "select 1 / 0"),
      runStatement(tx, "select 1"),
    ]);
  });
  await expect(sentTogether).rejects.toThrow("division by zero");
  const wentOn = database.transact(async (tx) => {
    await runStatement(tx, "select 1 / 0").catch(() => {});
    await runStatement(tx, "select 1");
  });
  await expect(wentOn).rejects.toThrow("division by zero");
  const rethrown = database.transact(async (tx) => {
    await runStatement(tx, "select 1 / 0").catch(() => {
      throw new Error("something failed");
    });
  });
  await expect(rethrown).rejects.toThrow("division by zero");
  expect(await runStatement(operator.db, "select * from strays")).toEqual([]);
  expect(await answers()).toBe(1);
});

test("a savepoint only undoes its own statements, and its transaction continues", async () => {
  const outcome = await database.transact(async (tx) => {
    await runStatement(tx, "insert into strays values ('outer')");
    const refused = await trySavepoint(
      tx,
      async (inner) => {
        await runStatement(inner, "insert into strays values ('inner')");
        await runStatement(inner, "select 1 / 0");
      },
      (error) => (error as { code?: string }).code === "22012",
    );
    const taken = await trySavepoint(
      tx,
      async (inner) => void (await runStatement(inner, "insert into strays values ('second')")),
      () => false,
    );
    return [refused.ok, taken.ok];
  });
  expect(outcome).toEqual([false, true]);
  expect(await runStatement(operator.db, "delete from strays returning name")).toEqual([{ name: "outer" }, { name: "second" }]);
});

test("a prepared statement whose table changed is prepared again, inside transactions and outside", async () => {
  await runStatement(operator.db, "create table widened (a int)");
  await runStatement(operator.db, "insert into widened values (1)");
  const inside = () => database.transact((tx) => runStatement(tx, "select * from widened"));
  const outside = () => runStatement(database.db, "select * from widened where a > 0");
  for (const read of [inside, outside]) expect(await read()).toEqual([{ a: 1 }]);
  await runStatement(operator.db, "alter table widened add column b int not null default 2");
  for (const read of [inside, outside])
    expect(await Promise.all(Array.from({ length: 8 }, read))).toEqual(Array.from({ length: 8 }, () => [{ a: 1, b: 2 }]));
});

test("cut again and again under load, the pool loses no connection and leaves no caller waiting", async () => {
  let going = true;
  let done = 0;
  const work = async () => {
    while (going) {
      // Group commit starts its transactions from setImmediate, where a write can still be buffered when the connection closes.
      await new Promise((resolve) => setImmediate(resolve));
      await database
        .transact(async (tx) => void (await pidOf(tx)))
        .then(
          () => {
            done += 1;
          },
          (error) => expect(error).toSatisfy(isUnavailable),
        );
    }
  };
  const workers = Array.from({ length: 16 }, work);
  for (let turn = 0; turn < 30; turn += 1) {
    // A slow machine is cut more slowly: each round must have got something done.
    const wanted = done + 4;
    await eventually("four more transactions", () => done >= wanted);
    await cutAll();
  }
  going = false;
  await Promise.all(workers);
  let open = 0;
  const all = Promise.withResolvers<void>();
  const together = await Promise.all(
    Array.from({ length: 4 }, () =>
      database.transact(async (tx) => {
        const pid = await pidOf(tx);
        if ((open += 1) === 4) all.resolve();
        await all.promise;
        return pid;
      }),
    ),
  );
  expect(new Set(together).size).toBe(4);
});
