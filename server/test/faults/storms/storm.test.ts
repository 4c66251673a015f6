import { expect, test } from "vitest";
import { createOrder } from "#orders/index.ts";
import { AppError, type Claim, type Ctx, narrow, openDatabase, type Tenant } from "#platform/index.ts";
import { contextOn } from "#test/support/app/context.ts";
import { patience, testApp } from "#test/support/app/test-app.ts";
import { countEffects } from "./storm.sql.ts";

const app = await testApp();
const { ctx } = app;

test("63 good orders and a poisoned one from 64 tenants, in one group: 63 succeed", async () => {
  const tenants = await Promise.all(Array.from({ length: 64 }, () => app.tenant()));
  for (const spot of [0, 31, 63]) {
    const results = await Promise.allSettled(
      // PostgreSQL refuses this character in both text and jsonb, so the whole statement fails.
      tenants.map((tenant, index) =>
        createOrder(ctx, tenant, { amount_minor: 100, currency: "CNY", ...(index === spot ? { description: "poison \u0000" } : {}) }),
      ),
    );
    expect(results.flatMap((result, index) => (result.status === "rejected" ? [index] : []))).toEqual([spot]);
    for (const tenant of tenants) expect((await countEffects(ctx.db, tenant)).income).toBe(0);
  }
});

test("two processes with the same keys in opposite order: each key once, and no deadlock reaches a caller", async () => {
  const databases = [1, 2].map((name) => openDatabase({ url: app.url, max: 6, applicationName: `storm-${name}`, ...patience }));
  const processes = databases.map((database) => ({ database, ctx: contextOn(database, { now: () => app.clock.now(), files: ctx.files }) }));
  try {
    for (let round = 0; round < 12; round += 1) {
      const shop = await app.tenant();
      const names = Array.from({ length: 64 }, (_, index) => index);
      const sent = processes.flatMap(({ database, ctx: own }, which) =>
        (which === 0 ? names : names.toReversed()).map((name) => {
          // The references are in the opposite order of the keys, so sorting by only one of them wouldn't be enough.
          const input = { amount_minor: 100, currency: "CNY", reference: `INV-${100 - name}`, metadata: { key: String(name) } };
          return untilAnswered(() => createOrder(narrow(own, { claim: claimOf(shop, `key-${name}`) }, database), shop, input));
        }),
      );
      const ids = (await Promise.all(sent)).map(({ order }) => order.id);
      expect(new Set(ids).size).toBe(64);
      expect(await countEffects(ctx.db, shop)).toMatchObject({ made: 64, keys: 64 });
    }
  } finally {
    await Promise.all(databases.map((database) => database.close()));
  }
});

test("two processes with the same references in opposite order and no keys: one order each, the other learns which", async () => {
  const databases = [1, 2].map((name) => openDatabase({ url: app.url, max: 6, applicationName: `storm-${name}`, ...patience }));
  const processes: Ctx[] = databases.map((database) => contextOn(database, { now: () => app.clock.now(), files: ctx.files }));
  try {
    for (let round = 0; round < 12; round += 1) {
      const shop = await app.tenant();
      const names = Array.from({ length: 64 }, (_, index) => index);
      const results = await Promise.allSettled(
        processes.flatMap((own, which) =>
          (which === 0 ? names : names.toReversed()).map((name) =>
            createOrder(own, shop, { amount_minor: 100, currency: "CNY", reference: `INV-${name}`, metadata: { key: String(name) } }),
          ),
        ),
      );
      const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason as AppError] : []));
      expect(refused.filter((error) => error.code !== "reference_exists")).toEqual([]);
      expect(refused).toHaveLength(64);
      expect(await countEffects(ctx.db, shop)).toMatchObject({ made: 64, keys: 64 });
    }
  } finally {
    await Promise.all(databases.map((database) => database.close()));
  }
});

/** Repeats a key that another process is writing, as `Retry-After` says. */
async function untilAnswered<T>(send: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "idempotency_key_in_use" || tries === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function claimOf(tenant: Tenant, key: string): Claim {
  const { project_id, livemode } = tenant;
  return { project_id, livemode, method: "POST", path: "/orders", key, fingerprint: `of ${key}`, replayed: false, used: false };
}
