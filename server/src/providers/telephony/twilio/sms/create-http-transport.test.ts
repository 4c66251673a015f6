import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type Ctx, createEgress } from "#platform/index.ts";
import type { SmsOutcome } from "#sms/index.ts";
import { carriedAt, sms } from "#test/support/smpp/carried.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { type Script, startTwilio, takes } from "#test/support/twilio/twilio-peer.ts";
import { createHttpTransport, type HttpTransportOptions } from "./create-http-transport.ts";
import { readSmsAccounts } from "./settings.ts";

const peer = await startTwilio();
const other = await startTwilio({ accountSid: "AC2", authToken: "an0ther" });
const patient = new AbortController().signal;
const egress = createEgress({ allow: [], publicUrl: "https://pay.example.com" });
let changes: string[] = [];
let aheadMs = 0;

afterAll(async () => {
  await egress.close();
  await peer.stop();
  await other.stop();
});
beforeEach(() => {
  for (const one of [peer, other]) {
    one.script = takes;
    one.received.length = 0;
    one.sids.length = 0;
  }
  changes = [];
  aheadMs = 0;
});

interface Opening {
  publicUrl?: string;
  way?: Ctx["egress"];
  limits?: HttpTransportOptions["limits"];
}

function open(accounts: string, { publicUrl = "https://pay.example.com", way = egress, limits }: Opening = {}) {
  const ctx: Pick<Ctx, "egress" | "publicUrl" | "now"> = { egress: way, publicUrl, now: () => new Date(carriedAt.getTime() + aheadMs) };
  return createHttpTransport({
    accounts: readSmsAccounts(accounts),
    ctx,
    report: {
      up: (name) => void changes.push(`${name} up`),
      down: (name, reason, retryMs) => void changes.push(`${name} down for ${retryMs}: ${reason}`),
      submitted: (name, { result }) => void changes.push(`${name} ${result}`),
    },
    ...(limits === undefined ? {} : { limits }),
  });
}

/** What came of one message that a carrier answers so. */
async function outcomeOf(script: Script, limits?: HttpTransportOptions["limits"]): Promise<SmsOutcome> {
  peer.script = script;
  return open(peer.setting(), limits === undefined ? {} : { limits }).send(sms("+14155552671", "Hi"), patient);
}

test("a message is posted as the account's, whole, with its validity and where to report; its id is stored", async () => {
  const transport = open(peer.setting("name=main&messaging_service=MG00000000000000000000000000000001"));
  const long = `Grüße & 50 % + more 😀 ${"x".repeat(200)}`;
  const outcome = await transport.send(
    sms("+14155552671", long, { sms_id: "sms_9", project_id: "prj_7", from: { value: "ACME", kind: "alphanumeric" } }),
    patient,
  );
  expect(outcome).toEqual({ provider: "http:main", result: "accepted", sent: [{ index: 0, provider_message_id: peer.sids[0] }] });
  expect(peer.received.map(({ method, path, form }) => [method, path, Object.fromEntries(form)])).toEqual([
    [
      "POST",
      "/Messages.json",
      {
        ...{
          To: "+14155552671",
          From: "ACME",
          MessagingServiceSid: "MG00000000000000000000000000000001",
          Body: long,
          ValidityPeriod: "36000",
        },
        StatusCallback: "https://pay.example.com/api/carriers/sms/main/status?project=prj_7&message=sms_9",
      },
    ],
  ]);
  expect(changes).toEqual(["main accepted"]);
});

test.each([
  ["that has a second left", 1_000, "accepted", "1"],
  ["that may last for longer than carriers try", 90_000_000, "accepted", "36000"],
  ["whose time is over", 999, "refused", null],
])("a message %s", async (_what, leftMs, result, validity) => {
  const outcome = await open(peer.setting()).send(
    sms("+14155552671", "Hi", { expires_at: new Date(carriedAt.getTime() + leftMs) }),
    patient,
  );
  expect([outcome.result, peer.received[0]?.form.get("ValidityPeriod") ?? null]).toEqual([result, validity]);
});

test("a remote carrier isn't given an address that only this machine reaches", async () => {
  const publicUrl = "http://localhost:8080";
  await open(peer.setting(), { publicUrl }).send(sms("+14155552671", "Hi"), patient);
  expect(peer.received[0]?.form.get("StatusCallback")).toMatch(/^http:\/\/localhost:8080\/api\/carriers\/sms\/main\/status\?/);
  const requests: string[] = [];
  const nowhere: Ctx["egress"] = {
    ...egress,
    async request({ url, body }) {
      requests.push(url, new URLSearchParams(Buffer.from(body ?? []).toString()).has("StatusCallback") ? "told" : "not told");
      return { status: null, error_code: "connect", duration_ms: 0, head: null, sent: false };
    },
  };
  await open("https://AC1:t@carrier.example", { publicUrl, way: nowhere }).send(sms("+14155552671", "Hi"), patient);
  expect(requests).toEqual(["https://carrier.example/2010-04-01/Accounts/AC1/Messages.json", "not told"]);
});

describe("a response", () => {
  const error =
    (status: number, code: number, headers?: Record<string, string>): Script =>
    (_request, say) =>
      say.error(status, code, headers);
  test.each<[string, Script, Partial<SmsOutcome> & object]>([
    [
      "21211, a number that is none",
      error(400, 21211),
      { result: "refused", code: "invalid_number", message: "Twilio's words for 21211", provider_code: "21211" },
    ],
    ["21614, no mobile", error(400, 21614), { result: "refused", code: "invalid_number" }],
    ["21610, a recipient who said STOP to the carrier", error(400, 21610), { result: "refused", code: "opted_out" }],
    ["21408, a country that isn't open", error(400, 21408), { result: "refused", code: "country_not_allowed" }],
    ["21612, no way there", error(400, 21612), { result: "refused", code: "no_route" }],
    ["21606, a sender that isn't the account's", error(400, 21606), { result: "refused", code: "carrier_rejected" }],
    ["21617, too long", error(400, 21617), { result: "refused", code: "carrier_rejected" }],
    ["a code that isn't known", error(400, 29999), { result: "refused", code: "carrier_rejected", provider_code: "29999" }],
    [
      "400 in no words",
      (_request, say) => say.answer(400, "no"),
      { result: "refused", code: "carrier_rejected", provider_code: "HTTP 400" },
    ],
    ["21611, a sender's full queue", error(429, 21611), { result: "deferred", code: "throttled" }],
    [
      "20429 with a wish",
      error(429, 20429, { "retry-after": "3" }),
      { result: "deferred", code: "throttled", retry_after_ms: 3_000, provider_code: "20429" },
    ],
    [
      "20003, a wrong token",
      error(401, 20003),
      { result: "deferred", code: "provider_error", message: "The carrier doesn't accept this server's account." },
    ],
    ["30002, an account that is suspended", error(403, 30002), { result: "deferred", code: "provider_error" }],
    ["500 in the carrier's words", error(500, 20500), { result: "deferred", code: "provider_error" }],
    [
      "a message that failed at once",
      (_request, say) => say.take({ status: "failed", error_code: 30006 }),
      { result: "refused", code: "invalid_number", provider_code: "30006" },
    ],
    ["502 of something between", (_request, say) => say.answer(502, "<html>"), { result: "unknown" }],
    ["201 without an id", (_request, say) => say.answer(201, {}), { result: "unknown" }],
    ["201 that can't be read", (_request, say) => say.answer(201, "<html>"), { result: "unknown" }],
    ["a megabyte", (_request, say) => say.answer(201, { sid: "SM1", more: "x".repeat(1_000_000) }), { result: "unknown" }],
    ["a connection that ends", (_request, say) => say.hangUp(), { result: "unknown" }],
    [
      "an address elsewhere",
      (_request, say) => say.answer(307, "", { location: other.setting() }),
      { result: "deferred", code: "provider_error" },
    ],
  ])("of %s", async (_what, script, expected) => {
    expect(await outcomeOf(script)).toMatchObject({ provider: "http:main", sent: [], ...expected });
    expect([peer.received.length, other.received.length]).toEqual([1, 0]);
  });

  test("that doesn't arrive makes the outcome unknown, and so does a worker that stops waiting", async () => {
    const never: Script = () => undefined;
    expect(await outcomeOf(never, { firstByteMs: 50, totalMs: 100 })).toMatchObject({
      result: "unknown",
      message: expect.stringContaining("it didn't respond in time"),
    });
    const stopped = new AbortController();
    peer.received.length = 0;
    const sent = open(peer.setting()).send(sms("+14155552671", "Hi"), stopped.signal);
    await eventually("the carrier has it", () => peer.received.length === 1);
    stopped.abort();
    expect(await sent).toMatchObject({ result: "unknown" });
    expect(await open(peer.setting()).send(sms("+14155552671", "Hi"), stopped.signal)).toMatchObject({ result: "held", sent: [] });
    expect(peer.received).toHaveLength(1);
  });
});

describe("an account", () => {
  test("that doesn't respond is left alone, longer each time, and its messages go through another one", async () => {
    const gone = await startTwilio();
    await gone.stop();
    const transport = open(`${gone.setting("name=gone&weight=1000")},${other.setting("name=other&countries=49")}`);
    const [us, de] = [
      { to: "+14155552671", country: "US" },
      { to: "+4915112345678", country: "DE" },
    ];
    expect([transport.share(us), transport.share(de), transport.takes(us)]).toEqual([1_000, 1_001, true]);
    expect(await transport.send(sms("+14155552671", "Hi"), patient)).toMatchObject({ result: "held", provider: "http:gone" });
    expect([transport.share(us), transport.share(de), transport.takes(us)]).toEqual([0, 1, true]);
    expect(await transport.send(sms("+14155552671", "Hi"), patient)).toMatchObject({ result: "held", provider: "http" });
    expect(await transport.send(sms("+4915112345678", "Hi", { country: "DE" }), patient)).toMatchObject({
      result: "accepted",
      provider: "http:other",
    });
    expect(await transport.send(sms("+8613800138000", "Hi", { country: "CN" }), patient)).toMatchObject({ result: "held" });
    aheadMs = 1_000;
    await transport.send(sms("+14155552671", "Hi"), patient);
    expect(changes.filter((one) => one.startsWith("gone down"))).toEqual([
      "gone down for 1000: the carrier accepted no request: it can't be reached",
      expect.stringContaining("gone down for 2000"),
    ]);
    expect(transport.accounts().map(({ name, isUp }) => [name, isUp])).toEqual([
      ["gone", false],
      ["other", true],
    ]);
  });

  test("that can't be used isn't asked again about the same message if there is another one", async () => {
    const transport = open(`${peer.setting("name=one")},${other.setting("name=two")}`);
    for (const one of [peer, other]) one.script = (_request, say) => say.error(401, 20003);
    const providers: string[] = [];
    for (const turn of [0, 1]) {
      providers.push((await transport.send(sms("+14155552671", "Hi", { turn }), patient)).provider);
      aheadMs += 60_000;
    }
    expect(providers.toSorted()).toEqual(["http:one", "http:two"]);
  });

  test("that requests a slower pace is left alone for as long as it says, and takes messages again", async () => {
    const transport = open(peer.setting());
    peer.script = (_request, say) => say.error(429, 20429, { "retry-after": "5" });
    await transport.send(sms("+14155552671", "Hi"), patient);
    peer.script = takes;
    aheadMs = 4_999;
    expect(await transport.send(sms("+14155552671", "Hi"), patient)).toMatchObject({ result: "held" });
    aheadMs = 5_000;
    expect(await transport.send(sms("+14155552671", "Hi"), patient)).toMatchObject({ result: "accepted" });
    expect(changes).toEqual([expect.stringContaining("main down for 5000"), "main deferred", "main up", "main accepted"]);
  });

  test("has no more concurrent requests than its window, and the rest waits", async () => {
    const transport = open(peer.setting("name=main&window=2"));
    const held: (() => void)[] = [];
    peer.script = (_request, say) => void held.push(() => say.take());
    const sends = [1, 2].map((at) => transport.send(sms(`+1415555267${at}`, "Hi"), patient));
    await eventually("both are under way", () => held.length === 2);
    expect(transport.accounts()).toMatchObject([{ inUse: 2, window: 2 }]);
    expect(await transport.send(sms("+14155552673", "Hi"), patient)).toMatchObject({ result: "held" });
    for (const answer of held) answer();
    expect((await Promise.all(sends)).map(({ result }) => result)).toEqual(["accepted", "accepted"]);
  });

  test("gets its weight's share, and a number without an account is refused", async () => {
    const transport = open(`${peer.setting("name=one&weight=3&window=200")},${other.setting("name=two&weight=1&window=200")}`);
    const sent = await Promise.all(
      Array.from({ length: 200 }, (_none, at) => transport.send(sms("+14155552671", "Hi", { sms_id: `sms_${at}` }), patient)),
    );
    expect(new Set(sent.map(({ result }) => result))).toEqual(new Set(["accepted"]));
    expect(peer.received.length).toBeGreaterThan(120);
    expect(peer.received.length + other.received.length).toBe(200);
    expect(other.received.length).toBeGreaterThan(20);
    const chinese = open(peer.setting("name=main&countries=86"));
    expect(await chinese.send(sms("+14155552671", "Hi"), patient)).toMatchObject({ result: "refused", code: "no_route" });
    const outcome = await transport.send(sms("+14155552671", "Hi", { firstPart: 1 }), patient);
    expect(outcome).toMatchObject({ result: "refused", code: "no_route" });
  });
});
