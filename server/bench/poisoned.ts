import { buildApp } from "#app/build-app.ts";
import { openDatabase } from "#platform/index.ts";
import { defaultHttpSettings } from "#requests/index.ts";
import { contextOn } from "#test/support/app/context.ts";
import { startWorkers, tasksOf } from "#workers/index.ts";

/** A program: API and background work in one process, as `npm start` runs them, until its parent exits. */
process.once("message", (given: { url: string }) => void serve(given.url).then((port) => process.send?.({ port })));
process.once("disconnect", () => process.exit(0));

const objects = new Map<string, Buffer>();

async function serve(url: string): Promise<number> {
  const database = openDatabase({ url, max: 10 });
  const files = {
    put: async (key: string, bytes: Uint8Array) => void objects.set(key, Buffer.from(bytes)),
    get: async (key: string) => objects.get(key) ?? null,
    remove: async (key: string) => void objects.delete(key),
  };
  const ctx = contextOn(database, { now: () => new Date(), files });
  const tierLimits = ["emails", "email_batches", "reads", "general", "burst"].map((limit) => `enterprise.${limit}=999999999`);
  const app = await buildApp({ ctx, database, settings: { ...defaultHttpSettings, tierLimits, perMinuteTest: 1_000_000_000 } });
  startWorkers(ctx, undefined, tasksOf());
  await app.listen({ port: 0, host: "127.0.0.1" });
  const address = app.server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
