import { Writable } from "node:stream";
import { pino } from "pino";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { buildApp } from "#app/build-app.ts";
import { createOrder } from "#orders/index.ts";
import { openDatabase } from "#platform/index.ts";
import { contextOn } from "#test/support/app/context.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { startDatabaseProxy } from "#test/support/network/database-proxy.ts";
import { pageHeaders, visitor } from "#test/support/people/visitors.ts";
import { eventually, turns } from "#test/support/time/eventually.ts";

const app = await testApp({ asSuperuser: true });
const shop = await app.tenant();
const { link } = await createOrder(app.ctx, shop, { amount_minor: 1_000, currency: "CNY" });
const owner = await visitor(app, { merchant_id: shop.merchant_id });
const proxy = await startDatabaseProxy(app.url);
const far = 600_000;
/** The text of the statement after which the database no longer responds. */
let last: RegExp | null = null;
const database = openDatabase({
  url: proxy.url,
  max: 4,
  ...{ waitMs: far, lockMs: far, noticeMs: far },
  probe(text) {
    if (last?.test(text) === true) proxy.mode = "hold";
  },
});
const lines: Record<string, unknown>[] = [];
const log = pino(new Writable({ write: (line, _encoding, done) => done(void lines.push(JSON.parse(String(line)))) }));
const settings = { ...(await app.server()).runtime.settings };
const server = await buildApp({
  ctx: { ...contextOn(database, { now: () => app.clock.now(), files: app.ctx.files }), log },
  database,
  settings,
});
const { port } = new URL(await server.listen({ host: "127.0.0.1", port: 0 }));
afterAll(async () => {
  // What is still held would be waited for.
  proxy.mode = "pass";
  proxy.drop();
  await server.close();
  await database.close(0);
  await proxy.close();
});
beforeEach(async () => {
  last = null;
  proxy.mode = "pass";
  proxy.drop();
  settings.databaseWaitMs = far;
  // A new connection works only after the ends of the earlier ones have arrived.
  await eventually("a new connection", async () => (await server.inject("/readyz")).statusCode === 200);
  settings.databaseWaitMs = 100;
  lines.length = 0;
});

afterEach(() => void vi.useRealTimers());

const withKey = { authorization: `Bearer ${shop.key}` };
const asPerson = pageHeaders(owner.cookie, { origin: app.ctx.publicUrl, "tillpost-environment": "test" });
const project = `/api/v1/projects/${shop.project_id}`;

const created = { amount_minor: 500, currency: "CNY" };
const cases = [
  ["the look-up of a session", /sessions/, { method: "GET", url: `${project}/orders`, headers: asPerson }],
  [
    "an Idempotency-Key",
    /idempotency_keys/,
    {
      method: "POST",
      url: `${project}/orders`,
      headers: { ...withKey, "idempotency-key": "held" },
      payload: created,
    },
  ],
  ["a group of orders", /insert into orders/, { method: "POST", url: `${project}/orders`, headers: withKey, payload: created }],
  ["a payment page", /payment_links/, { method: "GET", url: `/pay/${link?.token}` }],
  ["readiness", /pg_is_in_recovery/, { method: "GET", url: "/readyz" }],
] as const;

/** The response of the request that the database stopped at: on a busy machine, what is read before may take too long as well. */
async function untilHeld<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  let answer: Answer | undefined;
  await eventually("a request that gets as far as the statement", async () => {
    answer = await ask();
    return proxy.mode === "hold";
  });
  return answer as Answer;
}

test.each(cases)(
  "a request that waits for %s gets 503 with Retry-After, a line in the log, and is counted",
  async (_what, statement, request) => {
    const countOf = async () => Number(/tillpost_request_wait_limit_total (\d+)/.exec((await server.inject("/metrics")).body)?.[1]);
    const before = await countOf();
    last = statement;
    const answer = await untilHeld(() => server.inject(request as never));
    expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "1"]);
    const own = lines.filter((line) => line["request_id"] === answer.headers["request-id"]);
    expect(own.map(({ code }) => code)).toContain("request_wait_limit");
    last = null;
    proxy.mode = "pass";
    proxy.drop();
    expect(await countOf()).toBeGreaterThan(before);
  },
);

async function* bodyLater() {
  await turns(50);
  yield Buffer.from(JSON.stringify(created));
}

test("a request whose body arrives over the network is limited as well", async () => {
  last = /insert into orders/;
  const post = () =>
    fetch(`http://127.0.0.1:${port}${project}/orders`, {
      method: "POST",
      headers: { ...withKey, "content-type": "application/json" },
      // After the headers, as a longer body does.
      body: ReadableStream.from(bodyLater()),
      duplex: "half",
    } as RequestInit);
  const answer = await untilHeld(post);
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
});

test("an export is waited for, as is any other work that takes long by design", async () => {
  const list = { url: "/api/v1/transactions", headers: withKey };
  const file = { ...list, url: `${list.url}?format=csv` };
  // What both read before isn't what is tested.
  settings.databaseWaitMs = far;
  for (const one of [list, file]) expect((await server.inject(one)).statusCode).toBe(200);
  settings.databaseWaitMs = 1_000;
  let isOver = false;
  const { exported } = await app.database.transact(async (tx) => {
    await runStatement(tx, "lock table ledger_transfers in access exclusive mode");
    const exported = server.inject(file).finally(() => {
      isOver = true;
    });
    expect((await server.inject(list)).statusCode).toBe(503);
    expect(isOver).toBe(false);
    return { exported };
  });
  expect((await exported).statusCode).toBe(200);
});

const defaults = [
  { what: "/readyz", seconds: 2, statement: /pg_is_in_recovery/, waitMs: far, request: { method: "GET", url: "/readyz" } },
  // And the twentieth that isn't counted as a wait.
  { what: "another request", seconds: 5.25, statement: /sessions/, waitMs: undefined, request: cases[0][2] },
] as const;

// Last, because a timer that is started while the time is set ends with its test.
test.each(defaults)(
  "by default, $what waits $seconds s for a response of the database",
  async ({ seconds, statement, waitMs, request }) => {
    if (waitMs === undefined) delete settings.databaseWaitMs;
    else settings.databaseWaitMs = waitMs;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    last = statement;
    let status: number | undefined;
    const answer = server.inject(request as never).then((response) => {
      status = response.statusCode;
    });
    await eventually("the statement without a response", () => proxy.mode === "hold");
    vi.advanceTimersByTime(seconds * 1_000 - 1);
    await turns(50);
    expect(status).toBeUndefined();
    vi.advanceTimersByTime(1);
    await Promise.race([answer, turns(1_000)]);
    expect(status).toBe(503);
  },
);
