import { describe, expect, test } from "vitest";
import { callTasks } from "#calls/index.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { expectOutcome, expectRefused, outcomes, refusedCalls } from "#test/support/twilio/outcomes.ts";
import type { CarriedCall } from "#test/support/twilio/voice-carrier.ts";
import { chirp, pickUp, ring, voiceWorld } from "#test/support/twilio/voice-world.ts";

const world = await voiceWorld();
const { app, carrier, worker, numbers, spare, shop, tasks, happen } = world;

// How each status and each refusal is classified is in the transport's own tables; the long form places a call for each.
test.each(outcomes.slice(0, 3))("a carrier that reports $reported $more ends a call as $status", (given) => expectOutcome(world, given));

test.each(refusedCalls.slice(0, 2))("a carrier that refuses a call by $refusal ends it with $code, and isn't tried again", (given) =>
  expectRefused(world, given),
);

test("another account places a call that the first one definitely didn't place, but none that it refused or may have placed", async () => {
  const triedAccounts: string[] = [];
  const accountOf = (form: URLSearchParams) => /carriers\/calls\/(\w+)\//.exec(form.get("Url") ?? "")?.[1] ?? "";
  const refusals = [{ status: 429, code: 20429 }, { status: 400, code: 21211 }, "dropped"] as const;
  for (const refusal of refusals) {
    triedAccounts.length = 0;
    const create = (form: URLSearchParams) => (triedAccounts.push(accountOf(form)) === 1 ? refusal : null);
    // A call without a response is searched for, for as long as it may still be reported.
    const pace = refusal === "dropped" ? 400 : 50;
    const { call } = await happen({ text: "Hello." }, { create, become: pickUp }, { settings: spare, pace });
    expect([call.provider, triedAccounts.length]).toEqual([`http:${triedAccounts.at(-1)}`, refusal === refusals[0] ? 2 : 1]);
    expect([call.status, call.error?.code ?? null]).toEqual(
      refusal === refusals[0] ? ["completed", null] : ["failed", refusal === "dropped" ? "outcome_unknown" : "invalid_number"],
    );
  }
});

describe("a call whose response was lost", () => {
  test("is identified by the carrier's callbacks", async () => {
    const { call, events } = await happen({ text: "Hello." }, { create: () => "lost", become: pickUp });
    expect([call.status, call.error, events]).toEqual(["completed", null, ["queued", "initiated", "ringing", "in_progress", "completed"]]);
    expect(carrier.requests.filter((one) => one === "POST /Calls.json")).toHaveLength(1);
    expect(carrier.last().samples).toEqual(chirp("Hello."));
  });

  test("is found in the carrier's list, if it is the only one", async () => {
    carrier.isSilent = true;
    // None of those before can be meant.
    app.clock.advance(600_000);
    const { call } = await happen({ text: "Hello." }, { create: () => "lost", become: (carried, at) => at.end(carried, "busy") });
    expect([call.status, call.error]).toEqual(["busy", null]);
  });

  test("is reported as in doubt if the list has two, and no one is called again or hung up on", async () => {
    let secondCall: CarriedCall | null = null;
    const { call, events } = await happen(
      { text: "Hello." },
      {
        create: () => "lost",
        become: async (carried, at) => {
          secondCall = { ...carried, sid: carried.sid.replaceAll("0", "1") };
          at.calls.push(secondCall);
        },
      },
      { pace: 400 },
    );
    expect([call.status, call.error.code, events]).toEqual(["failed", "outcome_unknown", ["queued", "initiated", "failed"]]);
    expect(carrier.requests.filter((one) => one.startsWith("POST"))).toEqual(["POST /Calls.json"]);
    // It was placed after all: a callee who answers now is hung up on.
    const [lost] = carrier.calls as [CarriedCall];
    await carrier.answer(lost);
    expect(lost.documents).toEqual([expect.stringContaining("<Response><Hangup/></Response>")]);
  });
});

test("callbacks that arrive twice, in another order, with odd characters or before the response to the request change nothing", async () => {
  carrier.early = true;
  const statuses: number[] = [];
  const { call, events } = await happen(
    { text: "Hello." },
    {
      become: async (carried, at) => {
        for (const status of ["in-progress", "ringing", "initiated", "in-progress"]) statuses.push(await at.report(carried, status));
        statuses.push(await at.report(carried, "ringing", { AnsweredBy: "\u0000" }));
        await at.answer(carried);
        for (const [status, more] of [
          ["completed", { CallDuration: "99" }],
          ["busy", {}],
          ["ringing", {}],
        ] as const)
          statuses.push(await at.report(carried, status, more));
      },
    },
  );
  expect(statuses).toEqual(Array(8).fill(200));
  expect([call.status, call.duration, call.hangup_by]).toEqual(["completed", 3, "caller"]);
  expect(events.filter((event) => event !== "ringing")).toEqual(["queued", "initiated", "in_progress", "completed"]);
});

test("no one else controls or hears a call: forged signatures, tokens and ids have no effect", async () => {
  const answers: number[] = [];
  const { call, events } = await happen(
    { text: "Hello." },
    {
      become: async (carried, at) => {
        await ring(carried, at);
        const [url, status] = [carried.form.get("Url") ?? "", carried.form.get("StatusCallback") ?? ""];
        const ended = { ...at.paramsOf(carried), CallStatus: "busy" };
        const forged = (address: string) => address.replace(/token=.{4}/, "token=AAAA");
        const post = async (address: string, params: Record<string, string>, forge?: (signature: string) => string) =>
          void answers.push((await at.post(address, params, forge)).status);
        await post(status, ended, (signature) => `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`);
        await post(status, ended, () => "");
        await post(forged(status), ended);
        await post(forged(url), at.paramsOf(carried));
        await post(url, at.paramsOf(carried), (signature) => signature.replace(/.{4}$/, "AAA="));
        await post(status, { ...ended, AccountSid: "AC1" });
        await post(status, { ...ended, CallSid: "no id" });
        await post(status.replace("/main/", "/other/"), ended);
        await post(status, { ...ended, filler: "x".repeat(70_000) });
        // Believed, and about no call of ours.
        await post(status, { ...ended, CallSid: "CAffffffffffffffffffffffffffffffff" });
        for (const address of [forged(url), url].map((one) => one.replace("/next?", "/sound.wav?")))
          answers.push((await fetch(address)).status);
        await at.report(carried, "in-progress");
        await at.answer(carried);
      },
    },
  );
  expect(answers).toEqual([403, 403, 403, 403, 403, 404, 400, 404, 413, 200, 403, 404]);
  expect([call.status, events]).toEqual(["completed", ["queued", "initiated", "ringing", "in_progress", "completed"]]);
});

test("what couldn't be stored here remains at the carrier", async () => {
  const files = { ...app.ctx.files, put: () => Promise.reject(new Error("the disk is full")) };
  const { call, recordings } = await happen({ text: "Hello.", record: true }, { become: pickUp }, { parts: { files } });
  expect([call.status, call.error, recordings, carrier.deletedRecordings, carrier.last().recordings.length]).toEqual([
    "completed",
    null,
    [],
    [],
    1,
  ]);
});

test("if the process that holds the call dies, the callee isn't kept on the line: the call is lost, and the carrier is asked to hang up", async () => {
  carrier.conduct = { become: ring };
  const api = app.api(shop().key);
  const { id } = (await api.post("/v1/calls", { ...numbers, text: "Hello." })).body;
  const held = tasks().filter(({ name }) => name === "place_calls");
  await eventually("it rings", async () => {
    for (const task of held) await task.run(worker);
    return (await api.get(`/v1/calls/${id}`)).body.status === "ringing";
  });
  // Dead: nothing of it is carried on. Its lease lapses, and another process finds that out.
  app.clock.advance(60_000);
  await callTasks(undefined)
    .find(({ name }) => name === "revive_calls")
    ?.run(app.ctx);
  const call = (await api.get(`/v1/calls/${id}`)).body;
  expect([call.status, call.error.code]).toEqual(["failed", "worker_lost"]);
  const carried = carrier.last();
  await carrier.answer(carried);
  expect(carried.documents).toEqual([expect.stringContaining("<Response><Hangup/></Response>")]);
  expect(carrier.requests.filter((one) => one.startsWith("POST"))).toEqual(["POST /Calls.json"]);
  // What it left behind goes with the sweep.
  app.clock.advance(3_600_000);
  await callTasks(undefined)
    .find(({ name }) => name === "sweep_call_lines")
    ?.run(app.ctx);
  expect(await runStatement(app.ctx.db, "select from call_lines")).toHaveLength(0);
});
