import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { pipeStatement, runStatement } from "#test/support/database/statement.sql.ts";
import { startDatabaseProxy } from "#test/support/network/database-proxy.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { after, commitWith, isCommitUnknown, known, openDatabase, type Pipe, pipeline, type Tx } from "../index.ts";
import { refusing, trySavepoint } from "../sql.ts";
import { openPool } from "./driver/connect.ts";
import { runTransaction } from "./driver/transaction.ts";

const app = await testApp({ asSuperuser: true });
const { ...tenant } = await app.tenant();
const proxy = await startDatabaseProxy(app.url);
const database = openDatabase({ url: proxy.url, max: 1, oneAtATime: true });
await runStatement(app.ctx.db, "create table noted (id int primary key, note text)");
afterAll(async () => {
  await database.close(0);
  await proxy.close();
});
beforeEach(() => runStatement(app.ctx.db, "truncate noted"));

const noted = () => runStatement<{ id: number }>(app.ctx.db, "select id from noted order by id");
const note = (pipe: Pipe, id: number) => pipeStatement<{ id: number }>(pipe, "insert into noted (id) values (?) returning id", id);
const idOf = ([row]: { id: number }[]) => row?.id ?? 0;

test("statements of a pipeline arrive together and are carried out in their order, and each has its result", async () => {
  const alone = await database.transact(async (tx) => {
    await runStatement(tx, "select 1");
    const before = proxy.writes;
    for (let id = 1; id <= 5; id += 1) await runStatement(tx, "select ?::int as id", id);
    return proxy.writes - before;
  });
  const { together, answers } = await database.transact(async (tx) => {
    await runStatement(tx, "select 1");
    const before = proxy.writes;
    const answers = await pipeline(tx, (pipe) => [
      after(pipe, note(pipe, 1), idOf),
      [note(pipe, 2), note(pipe, 3)],
      known(pipe, "nothing to ask"),
      null,
      after(pipe, pipeStatement<{ total: number }>(pipe, "select count(*) as total from noted"), ([row]) => row?.total ?? -1),
    ]);
    return { together: proxy.writes - before, answers };
  });
  expect([alone, together]).toEqual([5, 1]);
  const [first, others, ...rest] = answers;
  expect([first, others.map(idOf), ...rest]).toEqual([1, [2, 3], "nothing to ask", null, 3]);
});

test("a pipeline's statements can't be awaited, and none is added after it was sent", async () => {
  await database.transact(async (tx) => {
    const leaked: Pipe[] = [];
    await pipeline(tx, (pipe) => {
      leaked.push(pipe);
      expect(note(pipe, 1)).not.toHaveProperty("then");
      return [];
    });
    expect(() => note(leaked[0] as Pipe, 3)).toThrow("after its pipeline was sent");
    // @ts-expect-error a function that awaits something answers no places
    const awaiting = () => pipeline(tx, async (pipe: Pipe) => [await note(pipe, 2)]);
    expect(awaiting).toBeTypeOf("function");
  });
  expect(await noted()).toEqual([{ id: 1 }]);
});

test("the first failing statement gives its error and its text, and fails the whole transaction, also if that was ignored", async () => {
  const failing = (refuse: (error: unknown) => unknown) =>
    database.transact(async (tx) => {
      await pipeline(tx, (pipe) => [
        note(pipe, 1),
        refusing(pipe, note(pipe, 2), () => new Error("the second was refused")),
        refusing(pipe, pipeStatement(pipe, "insert into noted (id) values (?)", 2), refuse),
        refusing(pipe, note(pipe, 3), () => new Error("the fourth was refused")),
      ]).catch((error: unknown) => {
        errors.push(error);
      });
    });
  const errors: unknown[] = [];
  await expect(failing((error) => error)).rejects.toMatchObject({ code: "23505" });
  await expect(failing(() => new Error("the third was refused"))).rejects.toMatchObject({ code: "23505" });
  expect(errors).toEqual([expect.objectContaining({ code: "23505" }), new Error("the third was refused")]);
  await expect(
    database.transact((tx) => pipeline(tx, (pipe) => [note(pipe, 1), pipeStatement(pipe, "select 1 / 0")])),
  ).rejects.toMatchObject({
    code: "22012",
    statement: "select 1 / 0",
  });
  expect(await noted()).toEqual([]);
});

test("what is sent together in another way is refused in tests", async () => {
  const together = database.transact(async (tx) => {
    await Promise.all([runStatement(tx, "insert into noted (id) values (1)"), runStatement(tx, "insert into noted (id) values (2)")]);
  });
  await expect(together).rejects.toThrow("use `pipeline`");
  expect(await noted()).toEqual([]);
});

test("outside a transaction each statement of a pipeline has a separate connection", async () => {
  const [[left], [right]] = await pipeline(app.ctx.db, (pipe) => [
    pipeStatement<{ pid: number }>(pipe, "select pg_backend_pid() as pid, pg_sleep(0.05)"),
    pipeStatement<{ pid: number }>(pipe, "select pg_backend_pid() as pid, pg_sleep(0.05)"),
  ]);
  expect(left?.pid).not.toBe(right?.pid);
});

test("a transaction has only committed if the database answers COMMIT to its commit", async () => {
  const pool = openPool(app.url, { ...limits, max: 1, shared: 0, onUnreachable: () => {} });
  // An unnoticed failure: PostgreSQL responds to the COMMIT after it without an error.
  const unseen: typeof pool = {
    ...pool,
    send: ((client: Parameters<typeof pool.send>[0], written: Parameters<typeof pool.send>[1]) =>
      pool.send(client, written).catch(() => [])) as unknown as typeof pool.send,
  };
  const lost = runTransaction(unseen, { probe: undefined, oneAtATime: false, isRefusal: () => false }, async (sender) => {
    await sender.send({ text: "insert into noted (id) values (1)", values: [] });
    await sender.send({ text: "select 1 / 0", values: [] });
  });
  await expect(lost).rejects.toThrow("the transaction was not committed: the database answered ROLLBACK");
  expect(await noted()).toEqual([]);
  await pool.close(0);
});

describe("a transaction whose COMMIT is sent with its last statements", () => {
  test("waits for both together, and has committed when it resolves", async () => {
    const writes = await database.transact(async (tx) => {
      await runStatement(tx, "select 1");
      const before = proxy.writes;
      const [first, second] = await commitWith(tx, (pipe) => [after(pipe, note(pipe, 1), idOf), after(pipe, note(pipe, 2), idOf)]);
      expect([first, second]).toEqual([1, 2]);
      return () => proxy.writes - before;
    });
    expect(writes()).toBe(1);
    expect(await noted()).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test("leaves nothing if one of them fails, and its connection serves the next", async () => {
    const failing = database.transact((tx) => commitWith(tx, (pipe) => [note(pipe, 1), note(pipe, 1), note(pipe, 2)]));
    await expect(failing).rejects.toMatchObject({ code: "23505" });
    expect(await noted()).toEqual([]);
    expect(await database.transact((tx) => commitWith(tx, (pipe) => [after(pipe, note(pipe, 3), idOf)]))).toEqual([3]);
    expect(await noted()).toEqual([{ id: 3 }]);
  });

  test("accepts no statement after it", async () => {
    const late = database.transact(async (tx) => {
      await commitWith(tx, (pipe) => [note(pipe, 1)]);
      await runStatement(tx, "insert into noted (id) values (2)");
    });
    await expect(late).rejects.toThrow("after its transaction had ended");
    expect(await noted()).toEqual([{ id: 1 }]);
  });

  test.each(["stop commit", "lose commit"] as const)("may have committed if the response is lost, and says so: %s", async (mode) => {
    await database.transact((tx) => runStatement(tx, "select 1"));
    proxy.mode = mode;
    const lost = database.transact((tx) => commitWith(tx, (pipe) => [note(pipe, 1)]));
    expect(await lost.catch(isCommitUnknown)).toBe(true);
    if (mode === "stop commit") expect(await noted()).toEqual([]);
    else await eventually("the commit takes effect", async () => (await noted()).length === 1);
  });

  test("commits later if the key of its request is written after it, and in a savepoint", async () => {
    const claim = { ...tenant, method: "POST", path: "/noted", key: "k-1", fingerprint: "f", replayed: false, used: false };
    const write = (tx: Tx) => commitWith(tx, (pipe) => [after(pipe, note(pipe, 1), idOf)]);
    expect(await database.transact(write, { ...claim })).toEqual([1]);
    expect(await database.transact(write, { ...claim })).toEqual([1]);
    await database.transact(async (tx) => {
      await trySavepoint(
        tx,
        (inner) => commitWith(inner, (pipe) => [note(pipe, 2)]),
        () => false,
      );
      await runStatement(tx, "insert into noted (id) values (3)");
    });
    expect(await noted()).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });
});

const limits = {
  applicationName: "tillpost-test",
  waitMs: 5_000,
  lockMs: 5_000,
  noticeMs: 3_000,
  lookMs: 1_500,
  slowMs: 500,
  prepare: true,
};
