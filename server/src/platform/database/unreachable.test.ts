import dns from "node:dns";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { buildApp } from "#app/build-app.ts";
import { defaultHttpSettings } from "#requests/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { startDatabaseProxy } from "#test/support/network/database-proxy.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { isUnavailable, openDatabase } from "../index.ts";

const app = await testApp({ asSuperuser: true });
const proxy = await startDatabaseProxy(app.url);
// Far longer than a test may take: what ends a wait here is that the database was found not to answer.
const waits = { url: proxy.url, max: 2, waitMs: 600_000, noticeMs: 50 };
const database = openDatabase(waits);
/** Soon finds that the database doesn't respond, on a busy machine perhaps also while it does. */
const hasty = openDatabase({ ...waits, lookMs: 200 });
afterAll(async () => {
  await Promise.all([database.close(0), hasty.close(0)]);
  await proxy.close();
});
beforeEach(() => {
  proxy.mode = "pass";
});

const answers = (of = database) => of.transact((tx) => runStatement<{ one: number }>(tx, "select 1 as one"));
/** The loss of an idle connection shows a moment later, or in the next statement on it. */
const recovers = (of = database) =>
  eventually("the database answers again", () =>
    answers(of).then(
      () => true,
      () => false,
    ),
  );

test("a balancer that accepts connections for a missing database delays no one, and connections exist again when it returns", async () => {
  proxy.drop();
  proxy.mode = "hold";
  const waiting = Array.from({ length: 6 }, () => answers(hasty));
  for (const outcome of await Promise.allSettled(waiting))
    expect(outcome).toMatchObject({ status: "rejected", reason: expect.toSatisfy(isUnavailable) });
  expect(hasty.unreachableCount()).toBeGreaterThan(0);
  proxy.mode = "pass";
  await recovers(hasty);
});

test("a database that disappears during a statement ends it, and its transaction", async () => {
  const lost = hasty.transact(async (tx) => {
    await runStatement(tx, "select 1");
    proxy.mode = "hold";
    await runStatement(tx, "select 1");
  });
  await expect(lost).rejects.toSatisfy(isUnavailable);
  proxy.mode = "pass";
  await recovers(hasty);
});

test("a slow statement isn't ended if the database answers others, nor are callers that wait for its connection", async () => {
  const before = database.unreachableCount();
  const slow = () => database.transact((tx) => runStatement<{ done: number }>(tx, "select 1 as done, pg_sleep(0.3)"));
  expect((await Promise.all([slow(), slow(), slow()])).map(([row]) => row?.done)).toEqual([1, 1, 1]);
  expect(database.unreachableCount()).toBe(before);
});

test("a database that answers anyone isn't considered down, however long it lets newcomers wait", async () => {
  const before = database.unreachableCount();
  await database.transact(async (tx) => {
    // Newcomers are held, so that every look fails, while this connection is answered.
    proxy.mode = "hold new";
    const other = answers();
    for (let turn = 0; turn < 10; turn += 1) await runStatement(tx, "select pg_sleep(0.2)");
    proxy.mode = "pass";
    await other.catch(() => {});
  });
  expect(database.unreachableCount()).toBe(before);
});

test("a balancer without a server behind it closes every connection: unavailable immediately", async () => {
  proxy.drop();
  proxy.mode = "close";
  await expect(answers()).rejects.toSatisfy(isUnavailable);
  proxy.mode = "pass";
  await recovers();
});

test("a request, a sign-in and /readyz get 503 with Retry-After during that time, /healthz responds, and the metric counts", async () => {
  const settings = { ...defaultHttpSettings, checkAnswers: true };
  const server = await buildApp({ ctx: { ...app.ctx, db: hasty.db }, database: hasty, settings });
  const { key } = await app.tenant();
  const ask = (url: string) => server.inject({ url, headers: { authorization: `Bearer ${key}` } });
  const isReady = async () => (await ask("/readyz")).statusCode === 200;
  await eventually("ready", isReady);
  proxy.mode = "hold";
  for (const url of ["/api/v1/orders", "/readyz"]) {
    const answer = await ask(url);
    expect([url, answer.statusCode, answer.headers["retry-after"], answer.json().error.code]).toEqual([
      url,
      503,
      "1",
      "service_unavailable",
    ]);
  }
  expect((await ask("/healthz")).statusCode).toBe(200);
  expect((await ask("/metrics")).body).toMatch(/tillpost_database_unreachable_total [1-9]/);
  proxy.mode = "pass";
  await eventually("ready again", isReady);
  await server.close();
});

type Lookup = (name: string, options: object, found: (error: Error | null) => void) => void;

/** What the system's resolver knows of one name: `code` is how its lookup fails, null that it finds the address. */
interface Resolving {
  name: string;
  address: string;
  code: string | null;
}

function resolveTo(one: Resolving) {
  const lookup = dns.lookup as unknown as Lookup;
  const resolve: Lookup = (name, options, found) => {
    if (name !== one.name) lookup(name, options, found);
    else if (one.code === null) lookup(one.address, options, found);
    else process.nextTick(found, Object.assign(new Error(`getaddrinfo ${one.code} ${name}`), { code: one.code }));
  };
  return vi.spyOn(dns, "lookup").mockImplementation(resolve as never);
}

test.each(["ENOTFOUND", "EAI_AGAIN"])(
  "while the database's host name can't be resolved (%s), requests get 503 with Retry-After, and are served once it can",
  async (code) => {
    const url = new URL(app.url);
    const one: Resolving = { name: "nowhere.invalid", address: url.hostname, code };
    const resolver = resolveTo(one);
    url.hostname = one.name;
    const named = openDatabase({ ...waits, url: url.href });
    const server = await buildApp({ ctx: { ...app.ctx, db: named.db }, database: named, settings: defaultHttpSettings });
    try {
      const { key } = await app.tenant();
      const ask = (path: string) => server.inject({ url: path, headers: { authorization: `Bearer ${key}` } });
      await expect(answers(named)).rejects.toMatchObject({ code });
      for (const path of ["/api/v1/orders", "/readyz"]) {
        const answer = await ask(path);
        expect([path, answer.statusCode, answer.headers["retry-after"]]).toEqual([path, 503, "1"]);
      }
      one.code = null;
      await eventually("served", async () => (await ask("/api/v1/orders")).statusCode === 200);
    } finally {
      await server.close();
      await named.close(0);
      resolver.mockRestore();
    }
  },
);

test("a statement waits for a lock as long as configured, and only fails because of that", async () => {
  const impatient = openDatabase({ url: app.url, max: 1, lockMs: 20 });
  await runStatement(app.ctx.db, "create table held (id int primary key)");
  await runStatement(app.ctx.db, "insert into held values (1)");
  await app.database.transact(async (tx) => {
    await runStatement(tx, "select id from held for update");
    await expect(impatient.transact((other) => runStatement(other, "select id from held for update"))).rejects.toMatchObject({
      code: "55P03",
    });
  });
  await impatient.close();
});

test("without prepared statements each transaction sets its own time limits, and repeats leave nothing behind on the connection", async () => {
  const pooled = openDatabase({ url: app.url, max: 1, lockMs: 1_234, prepare: false });
  const limits = () =>
    pooled.transact((tx) =>
      runStatement<{ lock: string; statement: string }>(
        tx,
        "select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement",
      ),
    );
  expect([await limits(), await limits()]).toEqual([[{ lock: "1234ms", statement: "15s" }], [{ lock: "1234ms", statement: "15s" }]]);
  expect(await runStatement(pooled.db, "select name from pg_prepared_statements")).toEqual([]);
  expect(await runStatement(pooled.db, "select current_setting('lock_timeout') as lock")).toEqual([{ lock: "0" }]);
  await pooled.close();
});
