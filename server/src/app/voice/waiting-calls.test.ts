import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { callTasks } from "#calls/index.ts";
import { changeMerchant } from "#identity/index.ts";
import { assignNumber } from "#numbers/index.ts";
import { realGround } from "#providers/voice/sip/testing/real-ground.ts";
import { ScriptedPeer } from "#providers/voice/sip/testing/scripted-peer.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { readSettings } from "../config.ts";
import { hasCallRoute } from "./call-routes.ts";
import { openVoice, type Voice } from "./open-voice.ts";

const [from, to] = ["+14155552670", "+14155552671"];
const app = await testApp({
  http: { perMinuteUnauthenticated: 100_000, tierLimits: ["free.calls=100000", "free.general=100000", "free.reads=100000"] },
  calls: { atOnce: 1_000, hasRoute: hasCallRoute({ SIP_TRUNKS: "sip://trunk.example?countries=1", VOICE_HTTP_URL: null }) },
});
let folder: string;
let shop: TestTenant;
let ground: Awaited<ReturnType<typeof realGround>>;
let peer: ScriptedPeer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waiting-calls-"));
  shop = await app.tenant({ livemode: true });
  await changeMerchant(app.ctx, { merchant_id: shop.merchant_id, if_version: null, country: "US" });
  await assignNumber(app.ctx, { project_id: shop.project_id, value: from, channels: ["call"] });
  ground = await realGround();
  // Answers each call.
  peer = new ScriptedPeer(ground, ground.at, (request, at) => {
    if (request.method === "INVITE") at.accept(request);
    else if (request.method !== "ACK") at.reply(request, "200 OK");
  });
});
beforeEach(() => void (peer.received.length = 0));
afterAll(async () => {
  ground.close();
  await rm(folder, { recursive: true });
});

/** The calls of a process whose trunks have these parameters. */
async function openCalls(trunks: readonly string[]) {
  const settings = readSettings({
    TILLPOST_DATA_DIR: folder,
    SIP_TRUNKS: trunks.map((given) => `sip://127.0.0.1:${ground.at.port}?ping=0&${given}`).join(),
    SIP_LISTEN: `udp://127.0.0.1:${await freePort()}`,
    RTP_PORTS: "25000-25999",
  });
  const voice = (await openVoice({ settings, ctx: app.ctx, speaks: async () => "unknown" })) as Voice;
  const tasks = callTasks(voice).filter(({ name }) => ["place_calls", "watch_calls"].includes(name));
  const api = app.api(shop.key);
  const ids: string[] = [];
  const statuses = () => Promise.all(ids.map(async (id) => (await api.get(`/v1/calls/${id}`)).body.status as string));
  return {
    ids,
    statuses,
    hangUp: (id: string) => api.post(`/v1/calls/${id}/hangup`),
    async place(count: number) {
      for (let one = 0; one < count; one += 1)
        ids.push((await api.post("/v1/calls", { from, to, actions: [{ verb: "pause", length: 60 }] })).body.id);
    },
    /** Lets the process work until the calls have such statuses. */
    async until(holds: (statuses: string[]) => boolean) {
      let last: string[] = [];
      await eventually(
        () => `the calls are ${last.join(", ")}`,
        async () => {
          for (const task of tasks) await task.run(app.ctx);
          last = await statuses();
          return holds(last);
        },
        { everyMs: 20 },
      );
    },
    async close() {
      for (const task of tasks) await task.finish?.(app.ctx);
      await voice.close();
    },
  };
}

const invited = () => new Set(peer.all("INVITE").map((message) => message.lines("Call-ID")[0])).size;
const isOver = (statuses: string[]) => statuses.every((status) => ["completed", "canceled", "failed"].includes(status));

test("a call that its country's trunk has no channel for waits until one is free, whatever other trunks have", async () => {
  const calls = await openCalls(["name=us&countries=US&channels=1&cps=100", "name=de&countries=DE&channels=30&cps=100"]);
  await calls.place(3);
  const [first = "", second = "", third = ""] = calls.ids;
  await calls.until(([status]) => status === "in_progress");
  expect(await calls.statuses()).toEqual(["in_progress", "queued", "queued"]);
  await calls.hangUp(first);
  await calls.until((statuses) => statuses[1] === "in_progress");
  expect(await calls.statuses()).toEqual(["completed", "in_progress", "queued"]);
  expect((await calls.hangUp(third)).body.status).toBe("canceled");
  await calls.hangUp(second);
  await calls.until(isOver);
  expect([await calls.statuses(), invited()]).toEqual([["completed", "completed", "canceled"], 2]);
  await calls.close();
});

test("calls that are due together are placed at the trunk's pace, and the others wait without being dialed", async () => {
  const calls = await openCalls(["name=slow&channels=30&cps=1"]);
  await calls.place(14);
  await calls.until((statuses) => statuses.filter((status) => status === "in_progress").length === 2);
  expect(new Set(await calls.statuses())).toEqual(new Set(["in_progress", "queued"]));
  for (const id of calls.ids) expect((await calls.hangUp(id)).status).toBe(200);
  await calls.until(isOver);
  const statuses = await calls.statuses();
  expect(statuses.filter((status) => status === "failed")).toEqual([]);
  // Only those that were dialed were answered, and none of the others was.
  expect(statuses.filter((status) => status === "completed")).toHaveLength(invited());
  expect(invited()).toBeLessThan(5);
  await calls.close();
});
