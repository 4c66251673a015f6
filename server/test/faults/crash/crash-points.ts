import { beforeAll, describe, expect, test } from "vitest";
import { auditLedger } from "#ledger/index.ts";
import { auditBooks } from "#orders/index.ts";
import { type Claim, type Ctx, narrow, type Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { type Books, readBooks } from "#test/support/books/books.sql.ts";
import { gatewayOperations, operationGateway } from "#test/support/gateways/scripted/gateway-deeds.ts";
import { refundOperations } from "#test/support/gateways/scripted/refund-deeds.ts";
import { type MoneyOperation, moneyOperations, type ReadyOperation } from "#test/support/payments/money-deeds.ts";
import { seeded } from "#test/support/race/race.ts";

/** Counts the statements of the operation under test and fails it before the chosen one, as a crash would. */
const isStatement = /^\s*(--.*\n\s*)*(select|insert|update|delete|with|set)\b/;
const crash = { armed: false, at: 0, seen: 0 };
class Crash extends Error {}
let points = 0;

const allOperations: MoneyOperation[] = [...moneyOperations, ...gatewayOperations, ...refundOperations];
const app = await testApp({
  gateways: { adapters: [operationGateway.adapter] },
  probe(text) {
    if (!crash.armed || !isStatement.test(text)) return;
    crash.seen += 1;
    if (crash.seen === crash.at) throw new Crash();
  },
});
const { ctx, database } = app;

/**
 * Tests that a crash in any money operation leaves one effect: before each of its statements and at its commit. With a seed, each operation
 * crashes at only one of these points, chosen by the seed, and a quarter of the operations are also run twice concurrently; of those that
 * only differ in their circumstances, one is chosen. The same seed gives the same operations and points.
 */
export function testCrashPoints(seed?: number): void {
  if (seed !== undefined) console.info(`crash points are drawn by ${seed}`);
  const operations = seed === undefined ? allOperations : oneVariantEach(seed);
  describe.each(operations.map((operation, index) => ({ ...operation, index })))("$name", ({ index, ...operation }) => {
    const drawn = seed === undefined ? null : seeded(seed + index)();
    let clean: { books: Books; statements: number };
    beforeAll(async () => {
      clean = await undisturbed(operation);
    });

    test("crashes before a statement or at its commit, and a retry with the same key has one effect", async () => {
      expect(clean.statements).toBeGreaterThan(3);
      const all = Array.from({ length: clean.statements + 1 }, (_, at) => at + 1);
      const chosen = drawn === null ? all : [all[Math.floor(drawn * all.length)] ?? 1];
      points += chosen.length;
      for (const at of chosen)
        await (at > clean.statements ? loseCommit(operation, clean.books) : crashOnce(operation, { at, clean: clean.books }));
    });

    if (drawn !== null && (index + (seed ?? 0)) % 4 !== 0) return;
    test("done twice concurrently with one key, it happens once", async () => {
      const ready = await operation.prepare(app);
      const results = await Promise.all([0, 1].map(() => attempt(ready, claimOf(ready.tenant))));
      expect(results.filter(({ error }) => error === null).length).toBeGreaterThan(0);
      for (const { error } of results) if (error !== null) expect(error).toMatchObject({ code: "idempotency_key_in_use" });
      expect(await readBooks(ctx.db, ready.tenant)).toEqual(clean.books);
    });
  });

  test("afterwards the books agree, in every shop", async () => {
    expect(await auditBooks(ctx)).toEqual([]);
    expect((await auditLedger(ctx)).faults).toEqual([]);
    console.info(`${points} crash points in ${operations.length} operations`);
  });
}

/** Names of operations that are the same in other circumstances or ways: of those with the same match, the short form runs one. */
const variants = [
  /^settle (?:alone|together) (?:the amount|the rest|too little|too much)$/,
  /^settle (?:alone|together) a (?:part of a )?reversed order's payment$/,
  /^settle (?:alone|together) /,
  /^start (?:a|another) payment$/,
  /^approve(?: a short payment)?$/,
  /^reverse /,
  /^resolve .* by (?:accepting|keeping) it$/,
  /^resolve .* by leaving it$/,
  /^resolve .* by paying it back$/,
  /^refund (?:all|a part)$/,
  /^simulate (?:paid|underpaid|overpaid|late|duplicate_callback)$/,
  /^simulate (?:failed|pending_verify|expire)$/,
  /^fail a refund of /,
  /^reject/,
  /^(?:issue a new link|revive an expired order|revoke the link)$/,
  /^apply a callback of the amount(?: with a fee)?, /,
  /^apply a callback of (?:a paid|a canceled|an expired) order, /,
  /^apply a callback of (?:too little|too much|another currency|another account), together$/,
  /^apply a callback of the amount and its refund, /,
  /^apply a callback of a refund that (?:succeeded|failed)/,
  /^apply a dispute: opened, (?:fee|amount)$/,
  /^apply a dispute: (?:opened, )?(?:won|lost)$/,
  /^refund through a provider that /,
  /^refund through a provider of an excess/,
];

/** One operation of each kind. */
function oneVariantEach(seed: number): MoneyOperation[] {
  const random = seeded(seed);
  const kindOf = ({ name }: MoneyOperation) => {
    const at = variants.findIndex((variant) => variant.test(name));
    return at < 0 ? name : `variant ${at}`;
  };
  return [...Map.groupBy(allOperations, kindOf).values()].map((alike) => alike[Math.floor(random() * alike.length)] as MoneyOperation);
}

async function undisturbed(operation: MoneyOperation): Promise<{ books: Books; statements: number }> {
  const ready = await operation.prepare(app);
  const { error, statements } = await attempt(ready, claimOf(ready.tenant));
  expect(error).toBeNull();
  return { books: await readBooks(ctx.db, ready.tenant), statements };
}

async function crashOnce(operation: MoneyOperation, given: { at: number; clean: Books }): Promise<void> {
  const ready = await operation.prepare(app);
  const before = await readBooks(ctx.db, ready.tenant);
  const crashed = await attempt(ready, claimOf(ready.tenant), given.at);
  expect(crashed.error, `statement ${given.at}`).toBeInstanceOf(Crash);
  if (operation.stepwise === undefined) expect(await readBooks(ctx.db, ready.tenant), `before statement ${given.at}`).toEqual(before);
  await expectOneEffect(ready, given.clean);
}

/** Crashes after everything was written, before COMMIT arrives. */
async function loseCommit(operation: MoneyOperation, clean: Books): Promise<void> {
  const ready = await operation.prepare(app);
  const before = await readBooks(ctx.db, ready.tenant);
  const claim = claimOf(ready.tenant);
  const lossy: typeof database = {
    ...database,
    transact: (work, claimed) =>
      database.transact(
        (tx) =>
          work(tx).then(() => {
            throw new Crash();
          }),
        claimed,
      ),
  };
  // A separate handle, so that a group commit can't carry the operation through a healthy connection.
  const lost: Ctx = { ...narrow(ctx, { claim }, lossy), db: { ...database.db } };
  await expect(ready.run(lost)).rejects.toBeInstanceOf(Crash);
  if (operation.stepwise === undefined) expect(await readBooks(ctx.db, ready.tenant)).toEqual(before);
  await expectOneEffect(ready, clean);
}

async function expectOneEffect(ready: ReadyOperation, clean: Books): Promise<void> {
  ready.recover?.();
  const retry = await attempt(ready, claimOf(ready.tenant));
  expect(retry.error).toBeNull();
  const claim = claimOf(ready.tenant);
  const again = await attempt(ready, claim);
  expect(again.error).toBeNull();
  expect(claim.replayed).toBe(true);
  expect(JSON.stringify(again.result)).toBe(JSON.stringify(retry.result));
  expect(await readBooks(ctx.db, ready.tenant)).toEqual(clean);
}

async function attempt(ready: ReadyOperation, claim: Claim, at = 0): Promise<{ result: unknown; error: unknown; statements: number }> {
  const claimed: Ctx = narrow(ctx, { claim }, database);
  Object.assign(crash, { armed: true, at, seen: 0 });
  try {
    return { result: await ready.run(claimed), error: null, statements: crash.seen };
  } catch (error) {
    return { result: null, error, statements: crash.seen };
  } finally {
    crash.armed = false;
  }
}

function claimOf(tenant: Tenant): Claim {
  const { project_id, livemode } = tenant;
  return { project_id, livemode, method: "POST", path: "/crash", key: "the-same-key", fingerprint: "f", replayed: false, used: false };
}
