import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createEmail } from "#email/index.ts";
import { notice } from "#platform/index.ts";
import { createRelayTransport } from "#providers/email/smtp/relay/create-relay-transport.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { testEnvironment } from "#test/support/app/test-environment.ts";
import { newEmail } from "#test/support/mail/mail.ts";
import { mailPeer } from "#test/support/mail/mail-peer.ts";
import { certificate, localEgress } from "#test/support/network/certificate.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { type Program, startProgram, temporaryFolder } from "#test/support/programs/program.ts";
import { countFree, countHeld } from "#test/support/queues/handover.sql.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { emitSome, endpointAt } from "#test/support/webhooks/webhook-world.ts";
import { listDeliveryStates } from "#test/support/webhooks/webhooks.sql.ts";
import { startWorkers, tasksOf } from "#workers/index.ts";

const app = await testApp({ egress: await localEgress() });
const { ctx } = app;
app.clock.run();
const folder = temporaryFolder();
let started: Program | undefined;
/** While false, remote servers don't respond. */
let answers = false;
const silent: (() => void)[] = [];

afterAll(async () => {
  started?.kill("SIGKILL");
  for (const end of silent) end();
  folder.remove();
});

const shop = await receiver((_one, response) => void (answers ? response.end("ok") : silent.push(() => response.end("ok"))));
/** Asked for its recipient, or with the body taken, it says nothing. */
const relay = await mailPeer({
  onBody: () => (answers ? undefined : new Promise((resolve) => silent.push(() => resolve(undefined)))),
  server: { onRcptTo: ({ address }, _session, done) => void (answers || address.startsWith("body") ? done() : silent.push(() => done())) },
});

async function work(): Promise<Program> {
  const env = {
    ...testEnvironment(app.url),
    ...{ WORKER_PORT: String(await freePort()), LOG_PRETTY: "off" },
    ...{ EGRESS_ALLOW: "127.0.0.0/8", NODE_EXTRA_CA_CERTS: join(folder.path, "ca.pem") },
    ...{
      PUBLIC_URL: ctx.publicUrl,
      EMAIL_DOMAIN: "tillpost.example",
      EMAIL_TRANSPORT: "relay",
      EMAIL_RELAY_URL: `smtp://127.0.0.1:${relay.port}`,
    },
  };
  started = await startProgram({ dataDir: folder.path, command: ["worker"], env });
  return started;
}

/** Does what a worker does, in this process. */
function workHere(): void {
  const mail = createRelayTransport({ url: `smtp://127.0.0.1:${relay.port}`, hello: "tillpost.example", now: ctx.now });
  const workers = startWorkers(ctx, undefined, tasksOf({ mail }));
  onTestFinished(async () => {
    await workers.stop();
    await mail.close();
  });
}

/** How often the database is asked for what takes seconds. */
const seldom = { everyMs: 50 };
const emailCount = 12;
const events = 12;

test("a process that is ended returns its leased jobs: nothing waits for a lease, and another process does them", async () => {
  writeFileSync(join(folder.path, "ca.pem"), (await certificate()).cert);
  const tenant = await app.tenant({ livemode: true });
  await endpointAt(ctx, tenant, `${shop.url}/hook`, ["order.paid"]);
  await emitSome(ctx, tenant, events);
  await createEmail(ctx, tenant, { tier: "pro", email: newEmail({ to: "body@lovelace.dev" }) });
  for (let n = 1; n < emailCount; n += 1) await createEmail(ctx, tenant, { tier: "pro", email: newEmail({ to: `ada${n}@lovelace.dev` }) });
  const params = { url: `${ctx.publicUrl}/dashboard/reset-password?token=x` };
  await ctx.transact((tx) => notice(tx, ctx, { kind: "password_reset", recipient: "reader@corner-readers.com", params }));

  const first = await work();
  let held = await countHeld(ctx.db);
  await eventually(
    () =>
      `jobs of each kind are taken and nobody answers: ${JSON.stringify({ held, shop: shop.count(), silent: silent.length, mails: relay.mails.length })}\n${first.output}`,
    async () => {
      held = await countHeld(ctx.db);
      const isTaken = held.deliveries > 0 && held.recipients === emailCount + 1;
      return isTaken && shop.count() > 0 && silent.length > shop.count() && relay.mails.length > 0;
    },
    seldom,
  );
  expect(await first.stop()).toEqual({ code: 0, signal: null });

  expect(await countHeld(ctx.db)).toEqual({ deliveries: 0, recipients: 0, notices: 0 });
  // What was in a server's hands whole may have been taken: it is tried again later, as after any lost connection.
  expect(await countFree(ctx.db)).toEqual({ deliveries: events, recipients: emailCount });
  answers = true;
  const before = new Set(relay.mails.flatMap(({ to }) => to));
  workHere();
  await eventually(
    "the other process does all of it",
    async () =>
      (await countFree(ctx.db)).recipients === 0 && (await countHeld(ctx.db)).recipients === 0 && relay.mails.length >= emailCount + 1,
    seldom,
  );
  expect([...before]).toEqual(["body@lovelace.dev"]);
  await eventually(
    "every event is delivered",
    async () => (await listDeliveryStates(ctx.db, tenant)).every(({ state }) => state === "succeeded"),
    seldom,
  );
  const inTime = relay.mails.flatMap(({ to }) => to).filter((to) => !before.has(to));
  expect(new Set(inTime).size, "each once").toBe(inTime.length);
  expect(inTime).toHaveLength(emailCount);
});
