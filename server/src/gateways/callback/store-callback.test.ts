import { expect, test } from "vitest";
import type { Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { intakeContract } from "#test/support/queues/intake-contract.ts";
import { storeCallback } from "./store-callback.ts";

const app = await testApp();
const question = { kind: "ask", about: { reference: null, providerId: null } } as const;
const rowOf = ({ project_id, livemode }: Tenant, given: { dedupe_key: string; event?: string }) => ({
  ...{
    project_id,
    livemode,
    id: app.ctx.id("gcb"),
    gateway: "stripe",
    credential_id: "gc_1",
    event: "paid",
    told: question,
    is_done: false,
    wait_ms: 20_000,
  },
  ...given,
});
const stored = async ({ project_id }: { project_id: string }) =>
  (await runStatement<{ id: string }>(app.ctx.db, "select id from gateway_callbacks where project_id = ?", project_id)).map(({ id }) => id);

let made = 0;
const take = async (ctx: Parameters<typeof storeCallback>[0], tenant: Tenant, event: string) =>
  (await storeCallback(ctx, rowOf(tenant, { dedupe_key: `evt_${(made += 1)}`, event }), 500)).callback.id;

intakeContract({
  app,
  path: "/callbacks",
  isGrouped: true,
  take,
  takePoison: (ctx, tenant) => take(ctx, tenant, "a\0b"),
  stored,
});

test("of one event that arrives a hundred times concurrently, one is stored and is new", async () => {
  const tenant = await app.tenant();
  const all = await Promise.all(Array.from({ length: 100 }, () => storeCallback(app.ctx, rowOf(tenant, { dedupe_key: "evt_same" }), 500)));
  const firsts = all.filter(({ isNew }) => isNew);
  expect(firsts).toHaveLength(1);
  expect(await stored(tenant)).toEqual([firsts[0]?.callback.id]);
});
