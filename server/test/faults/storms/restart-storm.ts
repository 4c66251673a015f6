import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildApp } from "#app/build-app.ts";
import { allScopes, createApiKey, createMerchant } from "#identity/index.ts";
import { type Ctx, type Database, migrate, openDatabase } from "#platform/index.ts";
import { createProject } from "#projects/index.ts";
import { defaultHttpSettings } from "#requests/index.ts";
import { contextOn } from "#test/support/app/context.ts";
import type { TestTenant } from "#test/support/app/test-app.ts";
import { onServer, withServer } from "#test/support/database/postgres.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { readClockFrom, stoppedClock, writeClock } from "#test/support/time/clock.ts";
import { type Disturbance, type StormReport, webhookStorm } from "./webhook-storm.ts";

interface RestartStorm extends Omit<Disturbance, "restart" | "survivor"> {
  /** Whether this process serves and works, too. */
  servesHere?: boolean;
}

/** A storm on a separate PostgreSQL that is stopped abruptly, again and again, while processes work on it. */
export async function restartStorm({ servesHere = false, ...given }: RestartStorm): Promise<StormReport> {
  return withServer(async (url, restart) => {
    // The tests' server may lose its last commits; here they are what is checked.
    await onServer(url, (admin) => admin.query("alter role postgres set synchronous_commit = on"));
    await migrate(url, new URL("../../../migrations/", import.meta.url));
    const database = openDatabase({ url, max: servesHere ? 10 : 4 });
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
    const server = servesHere ? await serve(ctx, database) : null;
    try {
      return await webhookStorm(
        { ctx, url, clock, tenant },
        { ...given, restart, ...(server === null ? {} : { survivor: server.origin }) },
      );
    } finally {
      await server?.close();
      await ctx.egress.close();
      await database.close();
      rmSync(clocks, { recursive: true, force: true });
    }
  });
}

async function serve(ctx: Ctx, database: Database): Promise<{ origin: string; close(): Promise<void> }> {
  const server = await buildApp({ ctx, database, settings: { ...defaultHttpSettings, perMinuteTest: 1_000_000, burst: 5_000 } });
  await server.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}
