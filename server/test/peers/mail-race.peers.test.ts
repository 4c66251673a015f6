import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { createEmail, emailChannel, listEmails } from "#email/index.ts";
import { createEmailSender } from "#email/sending/create-email-sender.ts";
import { reviveEmails } from "#email/sending/revive-emails.ts";
import { createSimulator } from "#email/simulator/simulator.ts";
import { startBounceHost } from "#listeners/index.ts";
import { findSuppressed } from "#messaging/index.ts";
import type { Ctx } from "#platform/index.ts";
import { createRelayTransport } from "#providers/email/smtp/relay/create-relay-transport.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { requireMailPrograms } from "#test/support/debian/mail-peers.ts";
import { startPostfix } from "#test/support/debian/postfix.ts";
import { drainMs, newEmail } from "#test/support/mail/mail.ts";
import { freePort } from "#test/support/network/free-port.ts";

requireMailPrograms();

const bounceDomain = "bounce.tillpost.example";
const whole = await testApp();
const maxReaders = 1_000;
const results: string[] = [];
const log = {
  ...whole.ctx.log,
  info: (line: { result?: string }) => void (line.result !== undefined && results.push(line.result)),
} as Ctx["log"];
// Postfix uses the machine's clock.
whole.clock.run();
const ctx: Ctx = { ...whole.ctx, log, mail: { ...whole.ctx.mail, bounceDomain, transport: "relay" } };
const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

/**
 * A relay that takes every message and knows immediately that it can't deliver it: its report is sent while its response is still on the
 * way.
 */
async function hastyRelay(timeoutMs: number) {
  const bounces = await startBounceHost(ctx, { host: "127.0.0.1", port: 0, name: bounceDomain, tls: null, timeoutMs });
  const postfix = await startPostfix({
    port: await freePort(),
    files: {
      // An unknown recipient is refused in the conversation; forwarding is only looked up after that.
      aliases: Array.from({ length: maxReaders }, (_, n) => `reader${n}@lovelace.dev reader${n}@elsewhere.dev\n`).join(""),
      transports: `${bounceDomain} smtp:[127.0.0.1]:${bounces.port}\nelsewhere.dev error:5.1.1 The mailbox does not exist\n`,
    },
    settings: {
      virtual_mailbox_domains: "lovelace.dev",
      virtual_alias_maps: "texthash:$config_directory/aliases",
      transport_maps: "texthash:$config_directory/transports",
      minimal_backoff_time: "1s",
      maximal_backoff_time: "2s",
      queue_run_delay: "1s",
      // Sends reports immediately and many together, so that as many as possible are faster than we are.
      in_flow_delay: "0s",
      initial_destination_concurrency: "20",
      smtp_connection_cache_destinations: bounceDomain,
      smtpd_relay_restrictions: "permit_mynetworks, reject",
    },
  });
  const live = createRelayTransport({ url: `smtp://127.0.0.1:${postfix.port}`, hello: "tillpost.example", now: ctx.now });
  ends.push(
    () => bounces.stop(),
    () => postfix.stop(),
    () => live.close(),
  );
  return { live, postfix };
}

/** Sends `count` messages through it, as a worker does, and returns how many have bounced in the end. */
async function bouncedOf(count: number, { timeoutMs, pauseMs }: { timeoutMs: number; pauseMs: number }): Promise<number> {
  const { live, postfix } = await hastyRelay(timeoutMs);
  const shop = await whole.tenant({ livemode: true });
  const make = (n: number) => createEmail(ctx, shop, { tier: "system", email: newEmail({ to: `reader${n}@lovelace.dev` }) });
  for (let n = 0; n < count; n += 20) await Promise.all(Array.from({ length: 20 }, (_, more) => make(n + more)));
  const sender = createEmailSender({ transports: { live, test: createSimulator() }, drainMs });
  const countOf = async (status: string) =>
    (await listEmails(ctx, shop, { limit: 1, filters: { status: [status] }, total: true })).total_count ?? 0;
  let bounced = 0;
  for (const end = performance.now() + 120_000; bounced < count && performance.now() < end; bounced = await countOf("bounced")) {
    await reviveEmails(ctx);
    await sender.run(ctx);
    // Bounces are recorded in each round: the longer the pause, the more reports overtake the sending.
    await sleep(pauseMs);
  }
  await sender.finish(ctx);
  if (bounced < count) process.stderr.write(postfix.log().split("\n").slice(-40).join("\n"));
  const suppressed = await findSuppressed(ctx.db, shop, {
    channel: emailChannel,
    addresses: Array.from({ length: count }, (_, n) => `reader${n}@lovelace.dev`),
  });
  expect(suppressed.size).toBe(bounced);
  return bounced;
}

test("of a thousand reports that overtake the response to their message, none is lost", { timeout: 180_000 }, async () => {
  expect(await bouncedOf(maxReaders, { timeoutMs: 3_000, pauseMs: 1_000 })).toBe(maxReaders);
  expect(results.filter((result) => result === "applied")).toHaveLength(1_000);
});

test("nor if each early report is refused, and sent again", { timeout: 180_000 }, async () => {
  results.length = 0;
  expect(await bouncedOf(300, { timeoutMs: 0, pauseMs: 4_000 })).toBe(300);
  const early = results.filter((result) => result === "sending").length;
  process.stdout.write(`${early} of 300 reports came while their message was being sent\n`);
  expect(early).toBeGreaterThan(0);
  expect(results.filter((result) => result === "applied")).toHaveLength(300);
});
