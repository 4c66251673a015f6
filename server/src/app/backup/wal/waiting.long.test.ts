import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { simulatePayment } from "#orders/index.ts";
import { notice } from "#platform/index.ts";
import { mailingEnvironment } from "#test/support/app/test-environment.ts";
import { type Opened, walWorld } from "#test/support/backups/wal-world.ts";
import { mailPeer } from "#test/support/mail/mail-peer.ts";
import { certificate } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import type { Program } from "#test/support/programs/program.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { endpointAt } from "#test/support/webhooks/webhook-world.ts";

const world = await walWorld();
const { at, dataDir, env, restore, takeKeys } = world;
const [shop, peer] = [await receiver(), await mailPeer()];
const demo = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as { project_id: string; api_key: string; email: string };
const tenant = { project_id: demo.project_id, livemode: false };
writeFileSync(at("ca.pem"), (await certificate()).cert);
Object.assign(env, { EGRESS_ALLOW: "127.0.0.0/8", NODE_EXTRA_CA_CERTS: at("ca.pem") });

/** Queues an event and an email, which nothing sends there. */
async function queue({ runtime: { ctx }, order }: Opened): Promise<void> {
  const { id } = await order();
  await simulatePayment(ctx, tenant, { order_id: id });
  const params = { url: `${ctx.publicUrl}/dashboard/reset-password?token=of-before`, minutes: 60 };
  await ctx.transact((tx) => notice(tx, ctx, { kind: "password_reset", recipient: demo.email, params }));
}

/** A moment that is later than what was done before it, to the millisecond. */
async function momentAfter({ order }: Opened): Promise<string> {
  const before = await order();
  let after = before;
  await eventually("an order of a later millisecond", async () => {
    after = await order();
    return after.created_at > before.created_at;
  });
  return after.created_at;
}

async function post(program: Program, path: string, given: { body: object; headers: Record<string, string> }): Promise<void> {
  const headers = { "content-type": "application/json", ...given.headers };
  const answer = await fetch(`${program.url}${path}`, { method: "POST", headers, body: JSON.stringify(given.body) });
  expect(answer.ok).toBe(true);
}

it("what was waiting at the chosen time is sent once, what came later isn't, and secrets from after the backup open", async () => {
  const original = await world.open(dataDir, { BACKUP_WAL: "on" });
  const { ctx, settings } = original.runtime;
  const backup = await original.backUp();
  const { secret } = await endpointAt(ctx, tenant, `${shop.url}/hook`, ["order.paid"]);
  await queue(original);
  const until = await momentAfter(original);
  await queue(original);
  await original.close();
  expect(await restore(backup, "chosen", "--at", until)).toMatchObject({ code: 0 });

  const { PUBLIC_URL } = settings;
  const program = await world.serve(takeKeys("chosen"), { ...mailingEnvironment(peer.port), PUBLIC_URL, WORKERS: "on" });
  const sent = (count: number) =>
    eventually(
      () => `the mail goes out, and the event: ${peer.mails.length}, ${shop.count()}\n${program.output}`,
      () => peer.mails.length >= count && shop.count() >= count,
    );
  await sent(1);
  // New ones come after the queued ones, and show that none of those is sent again.
  const { id } = await world.order(program);
  const authorization = `Bearer ${demo.api_key}`;
  const path = `/api/v1/projects/${demo.project_id}/orders/${id}/simulate-payment`;
  await post(program, path, { body: { outcome: "paid" }, headers: { authorization } });
  await post(program, "/api/auth/request-password-reset", { body: { email: demo.email }, headers: { origin: PUBLIC_URL } });
  await sent(2);
  expect((await program.stop()).code).toBe(0);
  expect([peer.mails.length, shop.count()]).toEqual([2, 2]);
  for (const { headers, body } of shop.received) new Webhook(secret).verify(body.toString(), headers);
});
