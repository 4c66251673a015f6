import { Webhook as StandardWebhook } from "standardwebhooks";
import { beforeEach, describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { callRoom } from "#test/support/messages/calls.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { type Received, type Reply, receiver } from "#test/support/network/receiver.ts";
import { rollCallbackSecret } from "#webhooks/index.ts";

const app = await testApp({ egress: await localEgress(), startsAt: new Date().toISOString() });
const room = callRoom(app);
const shop = await app.tenant();
const { secret } = await rollCallbackSecret(app.ctx, shop);

const json = (value: unknown) => (response: Parameters<Reply>[1]) =>
  void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
let answers: Record<string, (response: Parameters<Reply>[1]) => void> = {};
const server = await receiver((one, response) => (answers[one.path] ?? json({}))(response));
beforeEach(() => {
  answers = {};
  server.received.length = 0;
  app.clock.set(new Date());
});

async function happen(given: Parameters<typeof room.place>[1]) {
  const placed = await room.place(shop, given);
  await room.settle();
  return room.find(placed);
}
const bodyOf = (one: Received | undefined) => JSON.parse(one?.body.toString() ?? "{}");
const pin = { verb: "gather", name: "pin", num_digits: 4 };

test("a URL is requested with a signature, and its response is carried out", async () => {
  answers["/answer"] = json({
    actions: [
      { ...pin, action_url: `${server.url}/pin` },
      { verb: "say", text: "Never" },
    ],
  });
  answers["/pin"] = json({ actions: [{ verb: "record", action_url: `${server.url}/said` }] });
  answers["/said"] = (response) => void response.writeHead(204).end();
  const call = await happen({ to: "+15005552000", answer_url: `${server.url}/answer`, metadata: { order: "7" } });
  expect(call).toMatchObject({ status: "completed", error: null, gathered: { pin: "1234" } });
  expect(call.said?.steps?.map(({ verb, url, digits }) => [verb, url ?? digits])).toEqual([
    ["ask", `${server.url}/answer`],
    ["gather", "1234"],
    ["ask", `${server.url}/pin`],
    ["record", null],
    ["ask", `${server.url}/said`],
  ]);
  expect(server.received.map(({ path }) => path)).toEqual(["/answer", "/pin", "/said"]);
  const [first, second, third] = server.received;
  expect(bodyOf(first)).toMatchObject({
    reason: "answered",
    call: { id: call.id, status: "in_progress", to: call.to_number, metadata: { order: "7" } },
  });
  expect(bodyOf(second)).toMatchObject({ reason: "gather", digits: "1234", call: { gathered: { pin: "1234" } } });
  expect(bodyOf(third)).toMatchObject({ reason: "record", recording: expect.stringMatching(/^rec_/) });
  expect(new Set(server.received.map(({ headers }) => headers["webhook-id"])).size).toBe(3);
  for (const { body, headers } of server.received) new StandardWebhook(secret ?? "").verify(body.toString(), headers);
});

test("a project's first request creates the secret that signs it", async () => {
  const other = await app.tenant();
  const placed = await room.place(other, { answer_url: `${server.url}/answer` });
  await room.settle();
  expect((await room.find(placed)).status).toBe("completed");
  const [request] = server.received;
  expect(() => new StandardWebhook(secret ?? "").verify(request?.body.toString() ?? "", request?.headers ?? {})).toThrow();
  expect(request?.headers["x-service-signature"]).toMatch(/^[0-9a-f]{64}$/);
});

const nothing: [name: string, answer: (response: Parameters<Reply>[1]) => void][] = [
  ["nothing", (response) => void response.end()],
  ["no actions", json({})],
  ["null", json({ actions: null })],
];
test.each(nothing)("an action's URL that returns %s lets the call continue", async (_name, answer) => {
  answers["/pin"] = answer;
  const later = { verb: "gather", name: "later", timeout: 1 };
  const call = await happen({ to: "+15005552000", actions: [{ ...pin, action_url: `${server.url}/pin` }, later] });
  expect(call).toMatchObject({ status: "completed", error: null, gathered: { pin: "1234", later: "" } });
});

const faults: [name: string, answer: (response: Parameters<Reply>[1]) => void, says: RegExp][] = [
  ["an error", (response) => void response.writeHead(500).end("no"), /returned 500/],
  ["a redirection", (response) => void response.writeHead(307, { location: "/other" }).end(), /returned 307/],
  ["no JSON", (response) => void response.end("<html>"), /isn't JSON/],
  ["a list", json([]), /isn't a JSON object/],
  ["a text", json("hang up"), /isn't a JSON object/],
  ["an unknown verb", json({ actions: [{ verb: "sing" }] }), /actions\[0\]\.verb/],
  ["a verb without what it needs", json({ actions: [{ verb: "say" }] }), /actions\[0\]\.text/],
  ["too many verbs", json({ actions: new Array(51).fill({ verb: "pause" }) }), /up to 50 verbs/],
  ["a text with a NUL", json({ actions: [{ verb: "say", text: "a\u0000b" }] }), /actions\[0\]\.text: .*NUL/],
  ["a text with half of a pair", json({ actions: [{ verb: "say", text: "a\ud83d" }] }), /actions\[0\]\.text: .*NUL/],
  [
    "a field whose name no database holds",
    json({ actions: [{ verb: "hangup", [`\u0000${"a".repeat(78)}😀`]: 1 }] }),
    /actions\[0\]\.\ufffda+\ufffd: The field/,
  ],
  ["more than 64 KiB", (response) => void response.end(Buffer.alloc(65_537, 0x20)), /larger than 64 KiB/],
  ["no end", (response) => endless(response), /larger than 64 KiB/],
];
function endless(response: Parameters<Reply>[1]): void {
  const more = (error?: Error | null): void => {
    if (error == null && !response.destroyed) response.write(Buffer.alloc(65_536, 0x20), more);
  };
  more();
}

describe("a call whose URL fails says so and ends", () => {
  test.each(faults)("for %s", async (_name, answer, says) => {
    answers["/answer"] = answer;
    const call = await happen({ answer_url: `${server.url}/answer`, fallback_text: "Please call us back." });
    expect(call).toMatchObject({
      status: "completed",
      hangup_by: "caller",
      duration: 1,
      error: { code: "answer_failed", message: expect.stringMatching(says) },
    });
    expect((await room.eventsOf(call)).filter((name) => name === "completed")).toHaveLength(1);
  });

  test("for one that hangs up, and for one that redirects inside the network", async () => {
    answers["/answer"] = (response) => void response.destroy();
    expect((await happen({ answer_url: `${server.url}/answer` })).error).toMatchObject({ code: "answer_failed" });
    answers["/answer"] = json({ actions: [{ verb: "gather", timeout: 1, action_url: "https://10.0.0.1/inside" }] });
    expect((await happen({ answer_url: `${server.url}/answer` })).error).toMatchObject({
      code: "answer_failed",
      message: expect.stringMatching(/egress_blocked/),
    });
  });

  test("for a sound that can't be played", async () => {
    answers["/sound.wav"] = (response) => void response.writeHead(404).end();
    const call = await happen({ audio_url: `${server.url}/sound.wav` });
    expect(call).toMatchObject({ status: "completed", error: { code: "audio_failed", message: "The audio file's address returned 404." } });
  });
});

test("a callee who hangs up during a request ends the call, whatever its response says", async () => {
  let release = () => {};
  answers["/answer"] = (response) => void (release = () => json({ actions: [{ verb: "pause", length: 60 }] })(response));
  const placed = await room.place(shop, { to: "+15005552005", answer_url: `${server.url}/answer` });
  const caller = room.process();
  for (let steps = 0; steps < 12 && server.received.length === 0; steps += 1) {
    await caller.run(room.ctx);
    room.time.step();
    if (steps > 2) await Promise.race([server.until(1), new Promise((resolve) => setImmediate(resolve))]);
  }
  await server.until(1);
  room.time.step();
  release();
  await room.settle(caller);
  expect(await room.find(placed)).toMatchObject({ status: "completed", hangup_by: "callee", error: null });
});
