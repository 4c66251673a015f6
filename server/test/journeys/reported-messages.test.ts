import { createHmac } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { callRoom } from "#test/support/messages/calls.ts";
import { smsRoom } from "#test/support/messages/sms.ts";
import { testCode } from "#test/support/messages/verifications.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { type Received, type Receiver, receiver } from "#test/support/network/receiver.ts";
import { handOf } from "#test/support/webhooks/webhook-world.ts";

const app = await testApp({ egress: await localEgress(), startsAt: new Date().toISOString() });
const [texts, calls] = [smsRoom(app.ctx), callRoom(app)];
const hand = handOf(app.ctx);

const sms = { to: "+15005551000", body: "Your order is on its way." };
const call = { from: "+15005550006", to: "+15005552000", text: "Hello." };
const smsSteps = ["sms.queued", "sms.sent", "sms.delivered"];
const callSteps = ["call.queued", "call.initiated", "call.ringing", "call.in_progress", "call.completed"];

/** A project in TEST and its server, seen through the API. */
async function world() {
  const { key, project_id } = await app.tenant();
  const api = app.api(key);
  const server = await receiver();
  const made = async (path: string, body: object) => {
    const { status, body: object, text } = await api.post(path, body);
    expect(status, text).toBeLessThan(300);
    return object as { id: string; secret: string; [field: string]: unknown };
  };
  return { api, server, project: `/api/v1/projects/${project_id}`, made };
}

/** Everything that was sent and placed reaches its final state. */
async function settle() {
  await calls.settle();
  await texts.settle();
  app.clock.advance(1_500);
  await texts.settle();
}

/** Sends until nothing more arrives: a pass only sends what an endpoint may have in progress. */
async function deliver(server: Receiver): Promise<void> {
  for (let before = -1; before < server.count(); ) {
    before = server.count();
    await hand.deliver();
  }
}

interface Reported {
  event: string;
  livemode: boolean;
  data: { sequence: number; [channel: string]: unknown };
}

/** The events that arrived at a path, each signed with `secret`: by object, in the order in which they occurred. */
function stepsAt(received: readonly Received[], path: string, secret: string): Record<string, string[]> {
  const events = received
    .filter((one) => one.path === path)
    .map(({ body, headers }) => {
      new StandardWebhook(secret).verify(body.toString(), headers);
      expect(headers["x-service-signature"]).toBe(createHmac("sha256", secret).update(body).digest("hex"));
      return JSON.parse(body.toString()) as Reported;
    })
    .toSorted((one, other) => one.data.sequence - other.data.sequence);
  expect(events.every(({ livemode }) => !livemode)).toBe(true);
  const objectOf = ({ event, data }: Reported) => (data[event.split(".")[0] ?? ""] as { id: string }).id;
  const byObject = Object.groupBy(events, objectOf);
  return Object.fromEntries(Object.entries(byObject).map(([id, own = []]) => [id, own.map(({ event }) => event)]));
}

test("an SMS, a call and a verification report each step to endpoints for all events and for their families", async () => {
  const { api, server, project, made } = await world();
  const subscribe = (path: string, events: string[]) => made(`${project}/webhooks`, { url: `${server.url}${path}`, events });
  const endpoints = [
    { path: "/all", ...(await subscribe("/all", ["*"])) },
    { path: "/families", ...(await subscribe("/families", ["sms.*", "call.*", "verification.*"])) },
  ];
  const text = await made("/v1/sms", sms);
  const placed = await made("/v1/calls", call);
  const code = await made("/v1/verifications", { to: "+15005551005", channels: ["sms"] });
  await settle();
  expect(await made(`/v1/verifications/${code.id}/check`, { code: testCode })).toMatchObject({ status: "approved" });
  await deliver(server);
  const carried = (await api.get(`/v1/sms?tag=verification_id:${code.id}`)).body.data[0];
  const reported = {
    [text.id]: smsSteps,
    [placed.id]: callSteps,
    [code.id]: ["verification.created", "verification.sent", "verification.approved"],
    [carried.id]: smsSteps,
  };
  for (const { path, secret } of endpoints) expect(stepsAt(server.received, path, secret), path).toEqual(reported);
});

test("an SMS and a call report each step to their status_callback, signed with the project's secret for callbacks", async () => {
  const { api, server, project, made } = await world();
  const { secret } = await made(`${project}/callback-secret/roll`, {});
  const text = await made("/v1/sms", { ...sms, status_callback: `${server.url}/sms?order=7` });
  const placed = await made("/v1/calls", { ...call, status_callback: `${server.url}/call` });
  await made("/v1/sms", sms);
  await made("/v1/calls", call);
  await settle();
  expect((await api.get(`/v1/sms/${text.id}`)).body.status).toBe("delivered");
  await deliver(server);
  expect(stepsAt(server.received, "/sms?order=7", secret)).toEqual({ [text.id]: smsSteps });
  expect(stepsAt(server.received, "/call", secret)).toEqual({ [placed.id]: callSteps });
  expect(server.received).toHaveLength(smsSteps.length + callSteps.length);
});
