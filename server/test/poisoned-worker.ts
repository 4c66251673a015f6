import { openDatabase } from "#platform/index.ts";
import { createSender, reviveLapsed } from "#webhooks/index.ts";
import { startWorkers } from "../src/workers/start-workers.ts";
import { contextOn } from "./context.ts";

/** A program: delivers webhooks of a database, answers itself for every endpoint, and is gone the moment that it is to send what says `poison`. */
process.once("message", ({ url }: { url: string }) => work(url));
process.once("disconnect", () => process.exit(0));

function work(url: string): void {
  const database = openDatabase({ url, max: 4, applicationName: "tillpost-poisoned-worker" });
  const nowhere = async () => Promise.reject(new Error("no files here"));
  const ctx = contextOn(database, { now: () => new Date(), files: { put: nowhere, get: async () => null, remove: nowhere } });
  const request: typeof ctx.egress.request = async ({ body }) => {
    if (Buffer.from(body ?? "").includes("poison")) process.kill(process.pid, "SIGKILL");
    return { status: 200, headers: {}, body: Buffer.from("ok"), truncated: false, duration_ms: 1 } as Awaited<ReturnType<typeof ctx.egress.request>>;
  };
  const sender = createSender();
  startWorkers({ ...ctx, egress: { ...ctx.egress, request } }, undefined, [
    { name: "deliver_webhooks", everyMs: 50, run: sender.run, listen: sender.listen, finish: sender.finish },
    { name: "revive_deliveries", everyMs: 200, run: (given) => reviveLapsed(given) },
  ]);
  process.send?.("working");
}
