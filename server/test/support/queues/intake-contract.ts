import { describe, expect, it } from "vitest";
import { claimMany } from "#platform/idempotency/idempotency.ts";
import {
  type Claim,
  type Ctx,
  type Database,
  fingerprintOf,
  isUnavailable,
  narrow,
  openDatabase,
  platformErrors,
  type Tenant,
} from "#platform/index.ts";
import { patience, type TestApp } from "#test/support/app/test-app.ts";
import { startDatabaseProxy } from "#test/support/network/database-proxy.ts";

/** A group-commit intake, as the contract needs it. */
export interface IntakeUnderTest {
  app: TestApp;
  /** Path that its Idempotency-Keys belong to. */
  path: string;
  /** Whether concurrent requests share transactions; large ones have their own. */
  isGrouped: boolean;
  /** Accepts a request, whose body differs by `name`; returns the id of what it created. */
  take(ctx: Ctx, tenant: Tenant, name: string): Promise<string>;
  /** The same with what the database refuses. */
  takePoison(ctx: Ctx, tenant: Tenant): Promise<string>;
  /** The ids of what is stored. */
  stored(tenant: Tenant): Promise<string[]>;
}

/** What every intake must do, whichever room it belongs to. */
export function intakeContract(given: IntakeUnderTest): void {
  describe("as every intake", () => {
    groups(given);
    keys(given);
    poison(given);
    strangers(given);
    lostCommits(given);
    endings(given);
  });
}

/** Its part that differs most for another kind of request to the same intake, whose whole contract one kind fulfills. */
export function intakeSample(given: IntakeUnderTest): void {
  describe("as every intake", () => {
    keys(given);
    poison(given);
  });
}

/** A request of one process: its context, with a key if it has one. */
function requestOn(
  { app, path }: IntakeUnderTest,
  database: Database,
  given: { tenant: Tenant; key?: string; body?: string },
): Ctx & { claim: Claim | null } {
  const { project_id, livemode } = given.tenant;
  const claim = {
    project_id,
    livemode,
    method: "POST",
    path,
    key: given.key ?? "",
    fingerprint: fingerprintOf(given.body ?? ""),
    replayed: false,
    used: false,
  };
  return narrow({ ...app.ctx, db: database.db }, { claim: given.key === undefined ? null : claim }, database);
}

const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: { code?: string }) => String(error.code),
  );

function groups({ app, isGrouped, take, stored }: IntakeUnderTest): void {
  it("gives each request its own result, and writes many in one transaction", async () => {
    const tenant = await app.tenant();
    let transactions = 0;
    const counting: Ctx = {
      ...app.ctx,
      transactUnclaimed(work) {
        transactions += 1;
        return app.ctx.transactUnclaimed(work);
      },
    };
    const ids = await Promise.all(many(24, (n) => take(counting, tenant, `n${n}`)));
    expect(new Set(ids).size).toBe(24);
    expect((await stored(tenant)).sort()).toEqual([...ids].sort());
    if (isGrouped) expect(transactions).toBeLessThan(12);
  });
}

function keys(given: IntakeUnderTest): void {
  const { app, take, stored } = given;

  it("creates one of sixteen requests with one key, in two processes, and gives all the same result", async () => {
    const tenant = await app.tenant();
    const other = openDatabase({ url: app.url, max: 6, applicationName: "intake-other", ...patience });
    const requests = many(16, (n) => requestOn(given, n % 2 === 0 ? app.database : other, { tenant, key: "once", body: "a" }));
    const ids = await Promise.all(requests.map((ctx) => take(ctx, tenant, "a")));
    expect(new Set(ids).size).toBe(1);
    expect(await stored(tenant)).toEqual([ids[0]]);
    expect(requests.filter(({ claim }) => claim?.replayed === false)).toHaveLength(1);
    await other.close();
  });

  it("refuses a key that was used with another body, also concurrently", async () => {
    const tenant = await app.tenant();
    const outcomes = await Promise.all(
      many(6, (n) => codeOf(take(requestOn(given, app.database, { tenant, key: "two", body: `b${n}` }), tenant, `b${n}`))),
    );
    expect(outcomes.sort()).toEqual(["done", ...Array(5).fill("idempotency_key_reused")]);
    expect(await stored(tenant)).toHaveLength(1);
  });
}

function poison(given: IntakeUnderTest): void {
  const { app, take, takePoison, stored } = given;

  it("accepts all requests except the one that the database refuses, whose key stays free", async () => {
    const tenants = await Promise.all(many(3, () => app.tenant()));
    const tenantOf = (n: number) => tenants[n % 3] as Tenant;
    const poisoned = requestOn(given, app.database, { tenant: tenantOf(0), key: "poison" });
    const outcomes = many(12, (n) => take(requestOn(given, app.database, { tenant: tenantOf(n), key: `k${n}` }), tenantOf(n), `n${n}`));
    const refused = takePoison(poisoned, tenantOf(0));
    await expect(refused).rejects.toThrow();
    expect(new Set(await Promise.all(outcomes)).size).toBe(12);
    for (const tenant of tenants) expect(await stored(tenant)).toHaveLength(4);
    const again = requestOn(given, app.database, { tenant: tenantOf(0), key: "poison" });
    await take(again, tenantOf(0), "sound");
    expect(again.claim?.replayed).toBe(false);
  });
}

/** Has another transaction write the key `held` while `work` runs. */
async function whileHeld(given: IntakeUnderTest, tenant: Tenant, work: (letGo: () => Promise<void>) => Promise<void>): Promise<void> {
  const { app } = given;
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = app.ctx.transact(async (tx) => {
    await claimMany(tx, [{ claim: requestOn(given, app.database, { tenant, key: "held" }).claim as Claim, result: "{}" }]);
    held.resolve();
    await release.promise;
  });
  const letGo = () => {
    release.resolve();
    return holder;
  };
  await held.promise;
  await work(letGo).finally(letGo);
}

function strangers(given: IntakeUnderTest): void {
  const { app, take, stored } = given;

  it("delays no other request because of one whose key another transaction is writing", async () => {
    const tenant = await app.tenant();
    await whileHeld(given, tenant, async (letGo) => {
      const waiting = codeOf(take(requestOn(given, app.database, { tenant, key: "held", body: "other" }), tenant, "held"));
      expect(new Set(await Promise.all(many(10, (n) => take(app.ctx, tenant, `n${n}`)))).size).toBe(10);
      await letGo();
      // Its wait may be over by then, on a busy machine.
      expect(["idempotency_key_reused", "idempotency_key_in_use"]).toContain(await waiting);
    });
    expect(await stored(tenant)).toHaveLength(10);
  });
}

/** What the long form adds for each intake, because the wait takes two seconds. */
export function intakeWait(given: IntakeUnderTest): void {
  const { app, take, stored } = given;

  it("refuses a request whose key another transaction keeps writing, because it is in use, and stores nothing of it", async () => {
    const tenant = await app.tenant();
    await whileHeld(given, tenant, async () => {
      const waiting = codeOf(take(requestOn(given, app.database, { tenant, key: "held" }), tenant, "held"));
      expect(new Set(await Promise.all(many(10, (n) => take(app.ctx, tenant, `n${n}`)))).size).toBe(10);
      expect(await waiting).toBe(platformErrors.idempotency_key_in_use().code);
    });
    expect(await stored(tenant)).toHaveLength(10);
  });
}

function lostCommits(given: IntakeUnderTest): void {
  const { app, take, stored } = given;
  const through = async (work: (proxy: Awaited<ReturnType<typeof startDatabaseProxy>>, database: Database) => Promise<void>) => {
    const proxy = await startDatabaseProxy(app.url);
    const database = openDatabase({ url: proxy.url, max: 4, shared: 0, applicationName: "intake-cut" });
    try {
      await work(proxy, database);
    } finally {
      await database.close(0);
      await proxy.close();
    }
  };

  it.each([[undefined], ["lost"]])("finds what a COMMIT stored whose response was lost, and returns it, key: %s", (key) =>
    through(async (proxy, database) => {
      const tenant = await app.tenant();
      await take(requestOn(given, database, { tenant }), tenant, "warm");
      proxy.mode = "lose commit";
      const requests = many(8, (n) => requestOn(given, database, { tenant, ...(key === undefined ? {} : { key: `${key}${n}` }) }));
      const ids = await Promise.all(requests.map((ctx, n) => take(ctx, tenant, `n${n}`)));
      expect(proxy.mode).toBe("pass");
      expect(new Set([...ids, ...(await stored(tenant))]).size).toBe(9);
      expect(await stored(tenant)).toHaveLength(9);
      expect(requests.filter(({ claim }) => claim?.replayed === true)).toEqual([]);
    }),
  );

  it("refuses what wasn't stored because its COMMIT never arrived, and accepts it again", () =>
    through(async (proxy, database) => {
      const tenant = await app.tenant();
      await take(requestOn(given, database, { tenant }), tenant, "warm");
      proxy.mode = "stop commit";
      const lost = requestOn(given, database, { tenant, key: "stopped" });
      await expect(take(lost, tenant, "stopped")).rejects.toMatchObject({
        code: "service_unavailable",
        extras: { headers: { "retry-after": "1" } },
      });
      expect(await stored(tenant)).toHaveLength(1);
      const again = requestOn(given, database, { tenant, key: "stopped" });
      await take(again, tenant, "stopped");
      expect(again.claim?.replayed).toBe(false);
      expect(await stored(tenant)).toHaveLength(2);
    }));
}

function endings(given: IntakeUnderTest): void {
  const { app, take, stored } = given;

  it("finishes what is in progress when its database is closed: each request is stored and gets its result, or neither", async () => {
    const tenant = await app.tenant();
    const database = openDatabase({ url: app.url, max: 4, applicationName: "intake-end" });
    const outcomes = many(40, (n) => take(requestOn(given, database, { tenant }), tenant, `n${n}`));
    const ended = Promise.allSettled(outcomes);
    await outcomes[0];
    await database.close();
    const ids = (await ended).flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    for (const outcome of await ended) if (outcome.status === "rejected") expect(outcome.reason).toSatisfy(isUnavailable);
    expect((await stored(tenant)).sort()).toEqual(ids.sort());
  });
}
