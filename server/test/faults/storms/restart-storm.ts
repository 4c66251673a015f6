import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allScopes, createApiKey, createMerchant } from "#identity/index.ts";
import { migrate, openDatabase } from "#platform/index.ts";
import { createProject } from "#projects/index.ts";
import { contextOn } from "#test/support/app/context.ts";
import type { TestTenant } from "#test/support/app/test-app.ts";
import { onServer, withServer } from "#test/support/database/postgres.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { readClockFrom, stoppedClock, writeClock } from "#test/support/time/clock.ts";
import { type Disturbance, type StormReport, webhookStorm } from "./webhook-storm.ts";

/** A storm on a separate PostgreSQL that is stopped abruptly, again and again, while processes work on it. */
export async function restartStorm(given: Omit<Disturbance, "restart">): Promise<StormReport> {
  return withServer(async (url, restart) => {
    // The tests' server may lose its last commits; here they are what is checked.
    await onServer(url, (admin) => admin.query("alter role postgres set synchronous_commit = on"));
    await migrate(url, new URL("../../../migrations/", import.meta.url));
    const database = openDatabase({ url, max: 4 });
    const clocks = mkdtempSync(join(tmpdir(), "tillpost-clocks-"));
    chmodSync(clocks, 0o711);
    await onServer(url, (admin) => readClockFrom(clocks, admin));
    const clock = stoppedClock(new Date(), (instant) => writeClock(join(clocks, new URL(url).pathname.slice(1)), instant));
    const files = { put: async () => {}, get: async () => null, remove: async () => {} };
    const ctx = contextOn(database, { now: () => clock.now(), files, egress: await localEgress() });
    const tenant = async (): Promise<TestTenant> => {
      const { id: merchant_id } = await createMerchant(ctx, { display_name: "Corner Books" });
      const { id: project_id } = await createProject(ctx, { merchant_id, name: "Shop", default_currency: "CNY" });
      const key = await createApiKey(ctx, { project_id, livemode: false, name: "storm", permissions: [...allScopes] });
      return { project_id, livemode: false, merchant_id, key: key.secret ?? "", key_id: key.id };
    };
    try {
      return await webhookStorm({ ctx, url, clock, tenant }, { ...given, restart });
    } finally {
      await ctx.egress.close();
      await database.close();
      rmSync(clocks, { recursive: true, force: true });
    }
  });
}
