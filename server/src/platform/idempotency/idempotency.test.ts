import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { startDatabaseProxy } from "#test/support/network/database-proxy.ts";
import { type Claim, type Ctx, isCommitUnknown, narrow, openDatabase, platformErrors, readIdempotencyKey } from "../index.ts";

const app = await testApp();
const { ctx, database } = app;
const keyed = (key: string, on = database): Ctx => {
  const claim: Claim = {
    project_id: "prj_x",
    livemode: false,
    method: "POST",
    path: "/x",
    key,
    fingerprint: "f",
    replayed: false,
    used: false,
  };
  return narrow(ctx, { claim }, on);
};

test.each([true, false])(
  "the work itself waits as long as usual, whatever the limit of the wait for the key; prepared: %s",
  async (prepare) => {
    const own = openDatabase({ url: app.url, max: 2, shared: 0, applicationName: "key-limits", prepare, lockMs: 5_000 });
    try {
      const limitOf = (within: Ctx) => within.transact((tx) => runStatement<{ lock_timeout: string }>(tx, "show lock_timeout"));
      const usual = await limitOf(narrow(ctx, { claim: null }, own));
      expect(usual).toEqual([{ lock_timeout: "5s" }]);
      expect(await limitOf(keyed(`alone ${prepare}`.replace(" ", "-"), own))).toEqual(usual);
    } finally {
      await own.close(0);
    }
  },
);

test("a key that another request is writing is in use", async () => {
  const [started, refused] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const writing = keyed("shared").transact(async () => {
    started.resolve();
    await refused.promise;
    return 1;
  });
  await started.promise;
  await expect(keyed("shared").transact(async () => 2)).rejects.toMatchObject({ code: platformErrors.idempotency_key_in_use().code });
  refused.resolve();
  expect(await writing).toBe(1);
});

test.each([
  { mode: "stop commit", runs: 2 },
  { mode: "lose commit", runs: 1 },
] as const)("$mode: what is tried again in the same request passes its key on", async ({ mode, runs }) => {
  const proxy = await startDatabaseProxy(app.url);
  const cut = openDatabase({ url: proxy.url, max: 2, shared: 0, applicationName: "key-cut" });
  try {
    await keyed(`warm${runs}`, cut).transact(async () => 0);
    let count = 0;
    const work = async () => ++count;
    const request = keyed(`lost${runs}`, cut);
    proxy.mode = mode;
    expect(await request.transact(work).catch(isCommitUnknown)).toBe(true);
    expect(await request.transact(work)).toBe(runs);
    expect(count).toBe(runs);
    const later = keyed(`lost${runs}`);
    expect(await later.transact(work)).toBe(runs);
    expect(later.claim?.replayed).toBe(true);
  } finally {
    await cut.close(0);
    await proxy.close();
  }
});

test.each([
  ["k-1", "k-1"],
  ['"k-1"', "k-1"],
  ['a"b', 'a"b'],
  ['"a\\"b"', 'a"b'],
  ['"a\\\\b"', "a\\b"],
  ["a\\b", "a\\b"],
])("the header %s is the key %s", (header, key) => {
  expect(readIdempotencyKey(header)).toBe(key);
});

test.each(['"', '""', '"a', '"a"b"', '"a\\"', '"a";x=1', "a b", "", "ü", "x".repeat(256)])("the header %s isn't a key", (header) => {
  expect(() => readIdempotencyKey(header)).toThrow(expect.objectContaining({ code: "idempotency_key_invalid" }));
});
