import { expect } from "vitest";
import { auditLedger } from "#ledger/index.ts";
import { auditBooks } from "#orders/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { countEffects } from "./storm.sql.ts";
import { runStorm, type StormOptions } from "./storm.ts";

/** Runs a storm with ten copies of every key and checks the result. `kills` is how many processes die in it. */
export async function expectCalmAfter(app: TestApp, options: Omit<StormOptions, "copies">): Promise<void> {
  const shop = await app.tenant();
  const report = await runStorm(app, shop, { ...options, copies: 10 });
  console.info(`storm: ${JSON.stringify(report)}`);
  expect(report.faults).toEqual([]);
  expect(report.torn).toEqual([]);
  expect(report.mismatches).toEqual({ "422 idempotency_key_reused": options.keys });
  expect(report.kills).toBe(options.kills);
  expect(report.cut).toBeGreaterThan(options.keys);
  const paid = Math.ceil(options.keys / 3);
  expect(await countEffects(app.ctx.db, shop)).toEqual({ made: options.keys - paid, keys: options.keys - paid, paid, income: paid });
  expect(await auditBooks(app.ctx)).toEqual([]);
  expect((await auditLedger(app.ctx)).faults).toEqual([]);
}
