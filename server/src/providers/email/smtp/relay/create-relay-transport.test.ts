import { afterAll, expect, test } from "vitest";
import { answer, mailPeer, outgoing, type PeerRules, patient } from "#test/support/mail/mail-peer.ts";
import { certificate } from "#test/support/network/certificate.ts";
import { createRelayTransport, type RelayOptions, relayPeer } from "./create-relay-transport.ts";

async function peerAndRelay(rules: PeerRules = {}, options: Partial<RelayOptions> & { login?: string; scheme?: string } = {}) {
  const peer = await mailPeer(rules);
  const { login = "", scheme = "smtp", ...rest } = options;
  const relay = createRelayTransport({
    url: `${scheme}://${login}127.0.0.1:${peer.port}`,
    hello: "acme.example",
    now: () => new Date(),
    ...rest,
  });
  afterAll(() => relay.close());
  return { peer, relay };
}

const signsIn: PeerRules["server"] = {
  authOptional: false,
  allowInsecureAuth: true,
  onAuth: ({ username, password }, _session, done) =>
    username === "u@acme" && password === "p:w" ? done(null, { user: 1 }) : done(answer(535, "5.7.8 Bad credentials")),
};

test("what the relay accepts is sent, not delivered", async () => {
  const { peer, relay } = await peerAndRelay();
  const sent = outgoing();
  expect(await relay.send(sent, patient)).toMatchObject({
    provider: "relay:127.0.0.1",
    result: "accepted",
    final: false,
    smtp_code: 250,
    remote: `127.0.0.1:${peer.port}`,
  });
  expect(peer.mails.map((mail) => mail.raw)).toEqual([sent.raw]);
});

test("many messages share few connections", async () => {
  const { peer, relay } = await peerAndRelay({}, { connections: 4 });
  const outcomes = await Promise.all(Array.from({ length: 24 }, () => relay.send(outgoing(), patient)));
  expect([new Set(outcomes.map((one) => one.result)), peer.mails.length, peer.connections()]).toEqual([new Set(["accepted"]), 24, 4]);
});

test("credentials in the URL are used, with percent-encoding decoded", async () => {
  const { relay } = await peerAndRelay({ server: signsIn }, { login: "u%40acme:p%3Aw@" });
  expect(await relay.send(outgoing(), patient)).toMatchObject({ result: "accepted" });
});

test("a sign-in that the relay refuses stops the relay but fails no email", async () => {
  const reports: string[] = [];
  const { peer, relay } = await peerAndRelay(
    { server: signsIn },
    { login: "u%40acme:wrong@", onBackOff: (reason) => reports.push(reason) },
  );
  expect(await relay.send(outgoing(), patient)).toMatchObject({ result: "deferred", until: expect.any(Date), smtp_code: 535 });
  expect(await relay.send(outgoing(), patient)).toMatchObject({ result: "held", isDelay: true });
  expect([peer.connections(), reports.length]).toEqual([1, 1]);
});

test("a refusal of the relay is reported as it is, and what it doesn't pass on is held", async () => {
  const { relay } = await peerAndRelay({
    onRcpt: (to) => (to.startsWith("gone") ? answer(550, "5.1.1 User unknown") : answer(554, "5.7.1 Relay access denied")),
  });
  expect(await relay.send(outgoing({ to: "gone@example.com" }), patient)).toMatchObject({ result: "refused", suppress: true });
  expect(await relay.send(outgoing(), patient)).toMatchObject({ result: "deferred", smtp_code: 554 });
  expect(await relay.send(outgoing({ to: "gone@example.com" }), patient)).toMatchObject({ result: "refused" });
});

test.each([
  ["sender", { return_path: '"daily sending limit <b"@acme.dev', to: "ada@example.com" }, { enhanced_code: "5.1.7", suppress: false }],
  ["recipient", { return_path: "b@acme.dev", to: '"daily sending limit <b"@example.com' }, { enhanced_code: "5.1.3", suppress: true }],
])("an address of the %s that can't be sent only fails its own email, whatever is written in it", async (_whose, odd, refusal) => {
  const { peer, relay } = await peerAndRelay();
  const refused = await relay.send(outgoing(odd), patient);
  expect(refused).toMatchObject({ result: "refused", smtp_code: 501, ...refusal });
  expect(refused).not.toHaveProperty("until");
  expect(await relay.send(outgoing(), patient)).toMatchObject({ result: "accepted" });
  expect(peer.mails).toHaveLength(1);
});

test.each([
  [
    450,
    "4.1.1 Recipient address rejected: unverified address: host mx.evil.example[192.0.2.1] said: 554 5.7.1 Your account has been suspended",
  ],
  [450, "4.1.1 unverified address: host mx.evil.example[192.0.2.1] said: 421 4.7.0 Too many connections (in reply to RCPT TO command)"],
  [550, 'response to "RCPT TO:<ada@evil.example>" from mx.evil.example [192.0.2.1] was: 550 5.4.5 Daily user sending limit exceeded'],
])("what a recipient's server makes the relay respond (%i %s) stops no one else's email", async (code, text) => {
  const { relay } = await peerAndRelay({ onRcpt: (to) => (to.endsWith("evil.example") ? answer(code, text) : undefined) });
  expect(await relay.send(outgoing({ to: "ada@evil.example" }), patient)).not.toHaveProperty("until");
  expect(await relay.send(outgoing(), patient)).toMatchObject({ result: "accepted" });
});

test.each([
  [421, "4.7.0 Too many connections"],
  [451, "4.3.2 Server busy, too many messages"],
  [452, "4.5.3 Too many recipients"],
])("a relay that requests a slower pace once (%i %s) is left alone for a while, and then gets everything again", async (code, text) => {
  let at = Date.parse("2026-11-20T08:00:00Z");
  let isBusy = true;
  const { relay } = await peerAndRelay({ onMail: () => (isBusy ? answer(code, text) : undefined) }, { now: () => new Date(at) });
  const first = await relay.send(outgoing(), patient);
  expect(first).toMatchObject({ result: "deferred", until: expect.any(Date), smtp_code: code });
  expect(await relay.send(outgoing(), patient)).toMatchObject({ result: "held", isDelay: true });
  isBusy = false;
  at += 60_000;
  const outcomes = await Promise.all(Array.from({ length: 25 }, () => relay.send(outgoing(), patient)));
  expect(new Set(outcomes.map(({ result }) => result))).toEqual(new Set(["accepted"]));
});

test.each([
  ["its account is suspended", "onBody", 554, "5.7.1 Your account has been suspended"],
  ["its account may not send", "onRcpt", 550, "5.7.1 user account disabled for sending"],
  ["its account has used up its day", "onBody", 454, "Throttling failure: Daily message quota exceeded."],
  [
    "its user has used up the day",
    "onMail",
    550,
    "5.4.5 Daily user sending limit exceeded. For more information visit https://support.example",
  ],
] as const)("a relay that responds that %s stops, and no one is suppressed for it", async (_what, stage, code, text) => {
  const stopped = new Date("2026-11-20T08:00:00Z");
  const { relay } = await peerAndRelay({ [stage]: () => answer(code, text) }, { now: () => stopped });
  const outcome = await relay.send(outgoing(), patient);
  expect(outcome).toMatchObject({
    result: "deferred",
    smtp_code: code,
    until: expect.any(Date),
    bounce: { type: "transient", subtype: "general" },
  });
  expect(await relay.send(outgoing(), patient)).toMatchObject({ result: "held", isDelay: true });
  const isDaily = /daily/i.test(text);
  expect(outcome.result === "deferred" && (outcome.until?.getTime() ?? 0) - stopped.getTime() > 1_700_000).toBe(isDaily);
});

test("a relay that refuses one sender stops no one else's email, however often that sender tries", async () => {
  let at = Date.parse("2026-11-20T08:00:00Z");
  const denied = answer(550, "5.7.0 Mail Sending denied. This error occurs if the sender account is disabled.");
  const { peer, relay } = await peerAndRelay(
    { onMail: (from) => (from.endsWith("@b.example") ? denied : undefined) },
    { now: () => new Date(at) },
  );
  const [ofA, ofB] = [{ project_id: "prj_a" }, { project_id: "prj_b", return_path: "news@b.example" }];
  const sendAll = async (count: number, given: Parameters<typeof outgoing>[0]) =>
    new Set((await Promise.all(Array.from({ length: count }, () => relay.send(outgoing(given), patient)))).map(({ result }) => result));
  // Nothing tells yet whether it's the account.
  expect(await relay.send(outgoing(ofB), patient)).toMatchObject({ result: "deferred", until: expect.any(Date) });
  expect(await relay.send(outgoing(ofA), patient)).toMatchObject({ result: "held", isDelay: true });
  at += 40_000;
  expect(await relay.send(outgoing(ofB), patient)).toMatchObject({ result: "held", isDelay: true });
  expect(await sendAll(25, ofA)).toEqual(new Set(["accepted"]));
  for (let again = 0; again < 5; again += 1) {
    at += 60_000 * 2 ** (again + 1);
    if (again > 1) expect(await sendAll(1, ofA)).toEqual(new Set(["accepted"]));
    expect(await sendAll(25, ofB)).toEqual(new Set(["deferred", "held"]));
    expect(await relay.send(outgoing(ofB), patient)).toMatchObject({ result: "held", isDelay: true });
    expect(await sendAll(5, ofA)).toEqual(new Set(["accepted"]));
  }
  at += 3_600_000;
  expect(await sendAll(1, ofA)).toEqual(new Set(["accepted"]));
  expect(await relay.send(outgoing(ofB), patient)).not.toHaveProperty("until");
  expect(peer.mails.every(({ from }) => !from.endsWith("@b.example"))).toBe(true);
});

test("a relay that refuses every sender stops, also shortly after it accepted some", async () => {
  let at = Date.parse("2026-11-20T08:00:00Z");
  let isSuspended = false;
  const { relay } = await peerAndRelay(
    { onMail: () => (isSuspended ? answer(550, "5.7.1 Your account has been suspended") : undefined) },
    { now: () => new Date(at) },
  );
  const send = (project_id: string) => relay.send(outgoing({ project_id }), patient);
  expect([(await send("prj_a")).result, (await send("prj_b")).result]).toEqual(["accepted", "accepted"]);
  isSuspended = true;
  expect(await send("prj_a")).not.toHaveProperty("until");
  expect(await send("prj_a")).toMatchObject({ result: "held", isDelay: true });
  at += 301_000;
  expect(await send("prj_a")).toMatchObject({ result: "deferred", until: expect.any(Date) });
  expect(await send("prj_c")).toMatchObject({ result: "held", isDelay: true });
});

test("a relay with a limit per second is sent as much as it accepts, and no email is delayed for it", async () => {
  let at = Date.parse("2026-11-20T08:00:00Z");
  const [begun, wanted, times]: [number, number, number[]] = [at, 300, []];
  const { peer, relay } = await peerAndRelay(
    {
      onBody() {
        if (times.filter((time) => at - time < 1_000).length >= 14)
          return answer(454, "Throttling failure: Maximum sending rate exceeded.");
        times.push(at);
        return undefined;
      },
    },
    {
      now: () => new Date(at),
      pause: async (ms) => {
        at += ms;
      },
    },
  );
  while (times.length < wanted) {
    const outcome = await relay.send(outgoing(), patient);
    at += 5;
    if (outcome.result === "accepted") continue;
    expect(outcome).toMatchObject({ result: "held", isDelay: false });
    if (outcome.result === "held") at = Math.max(at, outcome.until.getTime());
  }
  expect(peer.mails.length - wanted).toBeLessThan(20);
  expect(at - begun).toBeLessThan(45_000);
});

test("a relay that finds every pace too fast is paused in the end", async () => {
  let at = Date.parse("2026-11-20T08:00:00Z");
  const { relay } = await peerAndRelay(
    { onMail: () => answer(450, "4.2.1 You have exceeded the rate limit.") },
    { now: () => new Date(at) },
  );
  const results: string[] = [];
  for (let tries = 0; tries < 6; tries += 1) {
    const outcome = await relay.send(outgoing(), patient);
    results.push(outcome.result);
    if (outcome.result === "held") at = outcome.until.getTime() + 1;
    else expect(outcome).toMatchObject({ until: expect.any(Date) });
  }
  expect(results).toEqual([...Array(5).fill("held"), "deferred"]);
});

test("a relay that uses TLS from the first byte is contacted that way", async () => {
  const { cert, key } = await certificate();
  const { peer, relay } = await peerAndRelay({ server: { secure: true, key, cert } }, { scheme: "smtps" });
  expect(await relay.send(outgoing(), patient)).toMatchObject({ result: "accepted" });
  expect(peer.mails[0]?.secure).toBe(true);
});

test.each([
  ["smtps://u:p@mail.example:465", { secure: true, verify: true, port: 465 }],
  ["smtps://mail.example", { secure: true, verify: true, port: 465, auth: null }],
  ["smtp://u:p@mail.example", { secure: false, tls: "required", verify: true, port: 587 }],
  ["smtp://mail.example:25", { secure: false, tls: "offered", verify: false, port: 25 }],
  ["smtp://u:p@localhost:1025", { tls: "offered", verify: false }],
  ["smtp://[::1]:1025", { host: "::1", tls: "offered", verify: false }],
])("%s protects what it should", (url, peer) => {
  expect(relayPeer({ url, hello: "acme.example" })).toMatchObject(peer);
});

test("a closed transport accepts nothing more", async () => {
  const { peer, relay } = await peerAndRelay();
  await relay.send(outgoing(), patient);
  await relay.close();
  expect(await relay.send(outgoing(), patient)).toMatchObject({ result: "held" });
  expect(peer.mails).toHaveLength(1);
});
