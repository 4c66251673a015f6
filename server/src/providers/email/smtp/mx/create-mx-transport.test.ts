import { expect, test } from "vitest";
import { answer, outgoing, type PeerRules, patient, stubDns } from "#test/support/mail/mail-peer.ts";
import { loopback, mxTo, peerAndMx, usualZone } from "#test/support/mail/mx-transport.ts";

const stopped = new Date("2026-11-20T08:00:00Z");

test("what the recipient's own server accepts is delivered, byte for byte, from its return address", async () => {
  const { peer, mx } = await peerAndMx();
  const sent = outgoing();
  expect(await mx.send(sent, patient)).toMatchObject({
    provider: "mx",
    result: "accepted",
    final: true,
    smtp_code: 250,
    enhanced_code: "2.0.0",
    remote: "mx.example.com [127.0.0.1]",
  });
  expect(peer.mails).toEqual([{ from: sent.return_path, to: [sent.to], raw: sent.raw, secure: false, hello: "acme.example" }]);
});

test("a greylisted message is deferred by the requested time, and delivered later over the same connection", async () => {
  const { peer, mx } = await peerAndMx({
    onRcpt: (_to, attempt) => (attempt === 1 ? answer(450, "4.2.0 Greylisted, try again in 60 seconds") : undefined),
  });
  const outcome = {
    result: "deferred",
    smtp_code: 450,
    enhanced_code: "4.2.0",
    retry_after_ms: 60_000,
    bounce: { type: "transient", subtype: "general" },
  };
  expect(await mx.send(outgoing(), patient)).toMatchObject(outcome);
  expect(await mx.send(outgoing({ attempt: 2 }), patient)).toMatchObject({ result: "accepted" });
  expect(peer.connections()).toBe(1);
});

test.each([
  [
    "an unknown mailbox",
    { onRcpt: () => answer(550, "5.1.1 User unknown") },
    { result: "refused", suppress: true, bounce: { type: "permanent", subtype: "no_email" }, smtp_code: 550 },
  ],
  [
    "a full mailbox",
    { onRcpt: () => answer(552, "5.2.2 Mailbox full") },
    { result: "deferred", bounce: { type: "transient", subtype: "mailbox_full" } },
  ],
  [
    "a reputation block at the recipient",
    { onRcpt: () => answer(550, "5.7.1 blocked using zen.spamhaus.org") },
    { result: "refused", suppress: false, bounce: { subtype: "blocked" } },
  ],
  [
    "a refused sender",
    { onMail: () => answer(550, "5.1.8 Sender address rejected: Domain not found") },
    { result: "refused", suppress: false, bounce: { subtype: "blocked" } },
  ],
  [
    "a refused body",
    { onBody: () => answer(554, "5.7.1 Spam message rejected") },
    { result: "refused", suppress: false, bounce: { subtype: "content_rejected" } },
  ],
  [
    "a body that cannot be kept now",
    { onBody: () => answer(452, "4.3.1 Insufficient system storage") },
    { result: "deferred", bounce: { type: "transient" } },
  ],
] satisfies [string, PeerRules, object][])("%s is reported as it is", async (_what, rules, outcome) => {
  const { mx } = await peerAndMx(rules);
  expect(await mx.send(outgoing(), patient)).toMatchObject(outcome);
});

test("one recipient's refusal doesn't affect the connection for the next", async () => {
  const { peer, mx } = await peerAndMx({ onRcpt: (to) => (to.startsWith("nobody") ? answer(550, "5.1.1 User unknown") : undefined) });
  for (const to of ["nobody@example.com", "ada@example.com", "nobody@example.com", "bob@example.com"])
    await mx.send(outgoing({ to }), patient);
  expect([peer.mails.map((mail) => mail.to), peer.connections()]).toEqual([[["ada@example.com"], ["bob@example.com"]], 1]);
});

test("a server that refuses connections is left alone: one message was tried, those after it weren't", async () => {
  const { peer, mx } = await peerAndMx({ onMail: () => answer(421, "4.3.2 Try again in 10 minutes") }, { now: () => stopped });
  const first = await mx.send(outgoing(), patient);
  const second = await mx.send(outgoing(), patient);
  expect([first, second]).toMatchObject([
    { result: "deferred", smtp_code: 421 },
    { result: "held", isDelay: true },
  ]);
  expect(first.result === "deferred" && (first.until?.getTime() ?? 0) - stopped.getTime()).toBeGreaterThan(590_000);
  expect(peer.connections()).toBe(1);
});

test("many messages that a server refuses together count as one failure, and the waiting ones are returned", async () => {
  const { peer, mx } = await peerAndMx(
    { onMail: () => answer(421, "4.3.2 Shutting down") },
    {
      siteLimits: { connections: 4, timeoutMs: 60_000 },
      now: () => stopped,
    },
  );
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => mx.send(outgoing(), patient)));
  const waits = outcomes.map((one) => ("until" in one ? (one.until?.getTime() ?? Number.NaN) - stopped.getTime() : Number.NaN));
  expect(outcomes.filter((one) => one.result === "deferred")).toHaveLength(4);
  expect(Math.max(...waits)).toBeLessThan(36_000);
  expect(peer.connections()).toBe(4);
});

test("a site that requested a slower pace gets one message a minute once its pause is over", async () => {
  let at = Date.parse("2026-11-20T08:00:00Z");
  let isAngry = true;
  const onMail = () => (isAngry ? answer(421, "4.7.0 [TSS04] Messages temporarily deferred due to unexpected volume") : undefined);
  const { mx } = await peerAndMx({ onMail }, { now: () => new Date(at) });
  expect(await mx.send(outgoing(), patient)).toMatchObject({ result: "deferred", until: expect.any(Date) });
  isAngry = false;
  at += 60_000;
  expect(await mx.send(outgoing(), patient)).toMatchObject({ result: "accepted" });
  expect(await mx.send(outgoing(), patient)).toMatchObject({
    result: "held",
    isDelay: true,
    reason: expect.stringContaining("one message a minute"),
  });
  at += 60_000;
  expect(await mx.send(outgoing(), patient)).toMatchObject({ result: "accepted" });
});

test("a site that gets one message a minute costs each waiting message one try, not one a minute", async () => {
  let at = stopped.getTime();
  let isFirst = true;
  const onMail = () => {
    const refusal = isFirst ? answer(421, "4.7.28 Gmail has detected an unusual rate of mail") : undefined;
    isFirst = false;
    return refusal;
  };
  const { peer, mx } = await peerAndMx({ onMail }, { now: () => new Date(at) });
  expect(await mx.send(outgoing(), patient)).toMatchObject({ result: "deferred" });
  at += 60_000;
  let waiting = Array.from({ length: 100 }, () => ({ due: at }));
  let tries = 0;
  for (let minute = 0; minute < 10; minute += 1, at += 60_000) {
    const due = waiting.filter((one) => one.due <= at);
    waiting = waiting.filter((one) => one.due > at);
    tries += due.length;
    for (const _one of due) {
      const outcome = await mx.send(outgoing(), patient);
      if (outcome.result === "held") waiting.push({ due: outcome.until.getTime() });
      else expect(outcome.result).toBe("accepted");
    }
  }
  expect(peer.mails).toHaveLength(10);
  expect(tries).toBeLessThan(120);
});

test("a refused connection closes the site, and domains with the same servers share that", async () => {
  const dns = stubDns({
    ...usualZone,
    "example.org": { mx: [[5, "mx.example.com"]] },
    "example.net": { mx: [[5, "mx.example.net"]] },
    "mx.example.net": loopback,
  });
  const mx = mxTo(1, { dns, now: () => stopped });
  const first = await mx.send(outgoing(), patient);
  expect(first).toMatchObject({ result: "deferred", until: expect.any(Date), diagnostic: expect.stringContaining("cannot be reached") });
  const second = await mx.send(outgoing({ to: "bob@example.org" }), patient);
  expect(second).toMatchObject({ result: "held", isDelay: true });
  // A separate failure would be the second in a row and pause the site for twice as long.
  expect(second.result === "held" && second.until.getTime() - stopped.getTime()).toBeLessThan(40_000);
});

test("a local part in another script only goes to servers that support it", async () => {
  const { mx } = await peerAndMx({ server: { hideSMTPUTF8: true } });
  expect(await mx.send(outgoing({ to: "用户@example.com" }), patient)).toMatchObject({
    result: "refused",
    enhanced_code: "5.6.7",
    suppress: false,
  });
  const able = await peerAndMx();
  expect(await able.mx.send(outgoing({ to: "用户@example.com" }), patient)).toMatchObject({ result: "accepted" });
});

test("headers with an address in another script only go to servers that support it", async () => {
  const raw = Buffer.from("From: 用户@acme.example\r\nTo: ada@example.com\r\nSubject: Hi\r\n\r\nHi\r\n");
  const said: boolean[] = [];
  const server: PeerRules["server"] = {
    onMailFrom: (_address, { envelope }, done) => {
      said.push(envelope.smtpUtf8 === true);
      done();
    },
  };
  const { mx } = await peerAndMx({ server });
  expect(await mx.send(outgoing({ raw }), patient)).toMatchObject({ result: "accepted" });
  expect(await mx.send(outgoing(), patient)).toMatchObject({ result: "accepted" });
  expect(said).toEqual([true, false]);
  const { mx: plain } = await peerAndMx({ server: { hideSMTPUTF8: true } });
  expect(await plain.send(outgoing({ raw }), patient)).toMatchObject({
    result: "refused",
    suppress: false,
    diagnostic: expect.stringContaining("SMTPUTF8"),
  });
  expect(await plain.send(outgoing(), patient)).toMatchObject({ result: "accepted" });
});

test("a connection lost after the body makes the outcome unknown", async () => {
  const { peer, mx } = await peerAndMx({ onBody: (_mail, socket) => new Promise(() => socket.destroy()) });
  expect(await mx.send(outgoing(), patient)).toMatchObject({ result: "unknown", remote: "mx.example.com [127.0.0.1]" });
  expect(peer.mails).toHaveLength(1);
});

test("a connection that its server closed while it was idle is reopened silently", async () => {
  const { peer, mx } = await peerAndMx();
  expect(await mx.send(outgoing(), patient)).toMatchObject({ result: "accepted" });
  peer.cut();
  expect(await mx.send(outgoing(), patient)).toMatchObject({ result: "accepted" });
  expect(peer.mails).toHaveLength(2);
});

test("a connection that has become too old for its server is reopened immediately", async () => {
  let mails = 0;
  const { peer, mx } = await peerAndMx({
    onMail: () => (++mails === 2 ? answer(421, "4.7.0 too many messages on this connection") : undefined),
  });
  for (let n = 0; n < 3; n += 1) expect(await mx.send(outgoing(), patient)).toMatchObject({ result: "accepted" });
  expect(peer.connections()).toBe(2);
});

// The next three mostly wait, so they run side by side.
test.concurrent("a server that takes long to respond to a body is waited for, and gets it once", async ({ expect }) => {
  const { peer, mx } = await peerAndMx(
    { onBody: () => new Promise((resolve) => setTimeout(() => resolve(undefined), 1_700)) },
    { limits: { envelopeMs: 1_500, helloMs: 10_000 } },
  );
  expect(await mx.send(outgoing(), patient)).toMatchObject({ result: "accepted" });
  expect(peer.mails).toHaveLength(1);
});

test.concurrent("a server that never responds times out: before the body as a failure, after it as unknown", async ({ expect }) => {
  const before = await peerAndMx({ server: { onRcptTo: () => {} } }, { limits: { envelopeMs: 300 } });
  expect(await before.mx.send(outgoing(), patient)).toMatchObject({ result: "deferred", bounce: { type: "transient" } });
  const after = await peerAndMx({ onBody: () => new Promise(() => {}) }, { limits: { bodyMs: 300 } });
  expect(await after.mx.send(outgoing(), patient)).toMatchObject({ result: "unknown" });
});

test.concurrent("a site sees no more connections than its limit, and what doesn't fit in time is returned", async ({ expect }) => {
  let open = 0;
  let most = 0;
  const third = Promise.withResolvers<void>();
  const onBody = async () => {
    most = Math.max(most, ++open);
    if (open === 3) third.resolve();
    await third.promise;
    await new Promise((resolve) => setTimeout(resolve, 40));
    open -= 1;
    return undefined;
  };
  const { peer, mx } = await peerAndMx({ onBody }, { siteLimits: { connections: 3, timeoutMs: 60_000, messagesPerConnection: 4 } });
  const outcomes = await Promise.all(Array.from({ length: 24 }, () => mx.send(outgoing(), patient)));
  expect([most, new Set(outcomes.map((one) => one.result)), peer.mails.length]).toEqual([3, new Set(["accepted"]), 24]);
  expect(peer.connections()).toBeGreaterThanOrEqual(6);
  const hasty = await peerAndMx(
    { onBody: () => new Promise((resolve) => setTimeout(() => resolve(undefined), 600)) },
    { siteLimits: { connections: 1, timeoutMs: 50 } },
  );
  const two = await Promise.all([hasty.mx.send(outgoing(), patient), hasty.mx.send(outgoing(), patient)]);
  expect(two.map((one) => one.result).toSorted()).toEqual(["accepted", "held"]);
});

test("an email whose time is over is dropped", async () => {
  const ending = new AbortController();
  const onBody = () => {
    ending.abort();
    return new Promise<undefined>(() => {});
  };
  const { mx } = await peerAndMx({ onBody });
  expect(await mx.send(outgoing(), ending.signal)).toMatchObject({ result: "unknown" });
});
