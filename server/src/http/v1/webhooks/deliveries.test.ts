import { describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { type Reply, receiver } from "#test/support/network/receiver.ts";
import { deliverDue, emitSome, handOf } from "#test/support/webhooks/webhook-world.ts";
import { createSender, fanOut, tidyDeliveries } from "#webhooks/index.ts";

const app = await testApp({ egress: await localEgress(), startsAt: new Date().toISOString() });
const { ctx, clock } = app;
const hand = handOf(ctx);
const dayMs = 86_400_000;

/** A project with one endpoint, seen through the API. */
async function world(reply?: Reply, events = ["*"], livemode = false) {
  const tenant = await app.tenant({ livemode });
  const shop = await receiver(reply);
  const api = app.api(tenant.key);
  const project = `/api/v1/projects/${tenant.project_id}`;
  const made = await api.post(`${project}/webhooks`, { url: `${shop.url}/hook?token=hush&plain`, events });
  const own = `${project}/webhooks/${made.body.id}`;
  return {
    tenant,
    shop,
    api,
    project,
    own,
    id: made.body.id as string,
    attempts: async (query = "") => (await api.get(`${own}/attempts${query}`)).body.data,
    events: async (query = "") => (await api.get(`${project}/events${query}`)).body.data,
    replay: async (body: object = {}) =>
      api.post(`${own}/replay`, { since: new Date(clock.now().getTime() - dayMs).toISOString(), ...body }),
    patch: async (body: object) => api.call("PATCH", own, { body }),
  };
}

const failing: Reply = (_one, response) => response.writeHead(500).end();
/** Accepts `order.paid` and answers the others with a status. */
function acceptsPaid(others: number): Reply {
  return (one, response) => response.writeHead(one.body.includes("order.paid") ? 200 : others).end();
}

const namesOf = (rows: { event: string }[]) => rows.map((one) => one.event);

describe("a test event", () => {
  test("is marked, is never live, and appears in no list and no replay unless requested", async () => {
    const { shop, api, own, events, replay } = await world(undefined, ["*"], true);
    const attempt = (await api.post(`${own}/test`, { event: "order.paid" })).body;
    expect(attempt).toMatchObject({ trigger: "test", status: "succeeded", event: "order.paid" });
    expect(JSON.parse(shop.received[0]?.body.toString() ?? "")).toMatchObject({ event: "order.paid", test: true, livemode: false });
    expect(await events()).toEqual([]);
    expect(await events("?delivery_success=true")).toEqual([]);
    expect(await events("?include=tests")).toMatchObject([{ id: attempt.event_id, test: true, livemode: false }]);
    expect((await replay({ include_delivered: true })).body).toMatchObject({ scheduled: 0 });
  });

  test("of an unknown name is refused with the known names", async () => {
    const { api, own } = await world();
    const refused = await api.post(`${own}/test`, { event: "order.payed" });
    const error = { code: "parameter_invalid", param: "event", message: expect.stringContaining("order.paid") };
    expect(refused).toMatchObject({ status: 400, body: { error } });
  });
});

describe("while an endpoint is disabled", () => {
  test("what was due and what becomes due is skipped immediately, no attempt promises another, and replay sends it", async () => {
    const { tenant, shop, api, project, patch, attempts, replay, events } = await world(failing);
    await emitSome(ctx, tenant);
    await hand.deliver();
    expect(await attempts()).toMatchObject([{ status: "failed", next_attempt_at: expect.any(String) }]);
    await patch({ status: "disabled" });
    expect(await attempts()).toMatchObject([{ status: "failed", next_attempt_at: null }]);
    await emitSome(ctx, tenant);
    await hand.deliver();
    const listed = await events();
    for (const { id } of listed) {
      const deliveries = await api.get(`${project}/events/${id}/deliveries`);
      expect(deliveries.body.data).toMatchObject([{ status: "skipped", next_attempt_at: null }]);
    }
    expect(await replay()).toMatchObject({ status: 409, body: { error: { code: "endpoint_disabled" } } });
    await patch({ status: "enabled" });
    clock.advance(dayMs / 24);
    await hand.deliver();
    expect(shop.received).toHaveLength(1);
    expect((await replay()).body).toMatchObject({ scheduled: 2 });
  });

  test("what a replay schedules doesn't depend on whether the sweep ran", async () => {
    const scheduled: number[] = [];
    for (const sweeps of [false, true]) {
      const { tenant, patch, replay } = await world(failing);
      await emitSome(ctx, tenant, 3);
      await hand.deliver();
      await patch({ status: "disabled" });
      await emitSome(ctx, tenant, 2);
      while ((await fanOut(ctx)) > 0);
      if (sweeps) await tidyDeliveries(ctx);
      await patch({ status: "enabled" });
      scheduled.push((await replay()).body.scheduled);
    }
    expect(scheduled).toEqual([5, 5]);
  });

  test("a delivery in progress that fails is skipped too", async () => {
    const held = Promise.withResolvers<() => void>();
    const holding: Reply = (_one, response) => held.resolve(() => response.writeHead(500).end());
    const { tenant, shop, api, project, patch, attempts, events } = await world(holding);
    await emitSome(ctx, tenant);
    while ((await fanOut(ctx)) > 0);
    const sender = createSender();
    await sender.run(ctx);
    await shop.until(1);
    await patch({ status: "disabled" });
    (await held.promise)();
    await sender.finish(ctx);
    expect(await attempts()).toMatchObject([{ status: "failed", next_attempt_at: null }]);
    const [event] = await events();
    expect((await api.get(`${project}/events/${event.id}/deliveries`)).body.data).toMatchObject([{ status: "skipped" }]);
  });
});

test("a change of events ends the waiting retries of those that are no longer subscribed to", async () => {
  const { tenant, shop, patch, attempts } = await world(failing, ["order.paid", "order.failed"]);
  await emitSome(ctx, tenant, 1, "order.paid");
  await emitSome(ctx, tenant, 1, "order.failed");
  await hand.deliver();
  expect(shop.received).toHaveLength(2);
  await patch({ events: ["order.failed"] });
  expect(await attempts("?event=order.paid")).toMatchObject([{ next_attempt_at: null }]);
  clock.advance(10_000);
  await hand.deliver();
  expect(shop.received.slice(2).map((one) => JSON.parse(one.body.toString()).event)).toEqual(["order.failed"]);
});

describe("a replay", () => {
  test("accepts a span, names and families, and what was delivered; its attempts say so", async () => {
    const { tenant, shop, replay, attempts, id } = await world();
    await emitSome(ctx, tenant, 1, "order.paid");
    clock.advance(60_000);
    const middle = clock.now().toISOString();
    clock.advance(60_000);
    await emitSome(ctx, tenant, 1, "order.failed");
    await emitSome(ctx, tenant, 1, "email.bounced");
    await hand.deliver();
    expect((await replay()).body).toMatchObject({ scheduled: 0 });
    expect((await replay({ until: middle, include_delivered: true })).body).toMatchObject({ scheduled: 1, until: middle });
    expect((await replay({ events: ["email.*"], include_delivered: true })).body).toMatchObject({ scheduled: 1 });
    clock.advance(1_000);
    await deliverDue(ctx, [id]);
    const again = await attempts("?trigger=replay");
    expect(namesOf(again).sort()).toEqual(["email.bounced", "order.paid"]);
    expect(new Set(shop.received.filter((one) => one.body.includes("order.paid")).map((one) => one.body.toString())).size).toBe(1);
  });

  test.each([
    ["an event that does not exist", { events: ["order.eaten"] }, "events"],
    ["an end before its beginning", { until: "2020-01-01T00:00:00Z" }, "until"],
  ])("refuses %s", async (_name, body, param) => {
    const { replay } = await world();
    expect(await replay(body)).toMatchObject({ status: 400, body: { error: { code: "parameter_invalid", param } } });
  });
});

describe("filters by event", () => {
  test.each(["events", "stream", "attempts"])("of %s refuse unknown names", async (list) => {
    const { api, project, own } = await world();
    const path = list === "attempts" ? `${own}/attempts` : list === "stream" ? `${project}/events/stream` : `${project}/events`;
    for (const name of ["order.eaten", "orders.*", "*.paid"]) {
      const refused = await api.get(`${path}?event=${name}`);
      expect(refused).toMatchObject({ status: 400, body: { error: { code: "parameter_invalid", param: "event" } } });
    }
  });

  test("accept the families that endpoints accept", async () => {
    const { tenant, events, attempts } = await world(undefined, ["order.*", "payment.*", "email.*"]);
    for (const name of ["order.paid", "payment.session.created", "email.queued", "transaction.completed"])
      await emitSome(ctx, tenant, 1, name);
    await hand.deliver();
    expect(namesOf(await events("?event=order.*&event=email.*"))).toEqual(["email.queued", "order.paid"]);
    expect(namesOf(await events("?event=*"))).toEqual(["transaction.completed", "payment.session.created", "order.paid"]);
    expect(namesOf(await attempts("?event=payment.*"))).toEqual(["payment.session.created"]);
    expect(await attempts()).toHaveLength(3);
  });
});

test("delivery_success distinguishes what is still tried from what was abandoned", async () => {
  const { tenant, events, patch } = await world(acceptsPaid(500));
  await emitSome(ctx, tenant, 1, "order.paid");
  await emitSome(ctx, tenant, 1, "order.failed");
  await hand.deliver();
  expect(namesOf(await events("?delivery_success=waiting"))).toEqual(["order.failed"]);
  expect(await events("?delivery_success=given_up")).toEqual([]);
  await patch({ status: "disabled" });
  expect(namesOf(await events("?delivery_success=given_up"))).toEqual(["order.failed"]);
  expect(await events("?delivery_success=waiting")).toEqual([]);
  expect(namesOf(await events("?delivery_success=false"))).toEqual(["order.failed"]);
  expect(namesOf(await events("?delivery_success=true"))).toEqual(["order.paid"]);
});

describe("attempts", () => {
  test("are listed once they are sent, with the time of sending, but not if leased for later", async () => {
    const open: (() => void)[] = [];
    let hold = true;
    const { tenant, shop, attempts, id } = await world((_one, response) => (hold ? void open.push(() => response.end()) : response.end()));
    await emitSome(ctx, tenant, 8);
    while ((await fanOut(ctx)) > 0);
    const sender = createSender();
    await sender.run(ctx);
    await shop.until(5);
    expect(await attempts()).toEqual([]);
    clock.advance(2_000);
    await sender.run(ctx);
    expect((await attempts()).map((one: { status: string }) => one.status)).toEqual(Array(5).fill("started"));
    hold = false;
    for (const answer of open) answer();
    await sender.finish(ctx);
    await deliverDue(ctx, [id]);
    expect(await attempts("?status=succeeded")).toHaveLength(8);
    for (const { request, created_at, event_id } of await attempts()) {
      const sent = shop.received.find((one) => one.headers["webhook-id"] === event_id);
      expect(request.headers["webhook-timestamp"]).toBe(sent?.headers["webhook-timestamp"]);
      expect(Math.floor(Date.parse(created_at) / 1000)).toBe(Number(sent?.headers["webhook-timestamp"]));
    }
  });

  test("are filtered by trigger and time", async () => {
    const { tenant, api, own, attempts } = await world();
    await emitSome(ctx, tenant);
    await hand.deliver();
    clock.advance(5_000);
    const middle = clock.now().toISOString();
    await api.post(`${own}/test`, {});
    expect(namesOf(await attempts("?trigger=test"))).toEqual(["webhook.test"]);
    expect(namesOf(await attempts(`?created[lt]=${middle}`))).toEqual(["order.paid"]);
    expect(namesOf(await attempts(`?created[gte]=${middle}`))).toEqual(["webhook.test"]);
  });

  test("store no signature, cookie or key that a response repeats, and no value of the URL's query", async () => {
    const echo: Reply = ({ headers }, response) => {
      const signature = headers["x-service-signature"] ?? "";
      const secrets = `${headers["webhook-signature"]} ${signature} whsec_${"A".repeat(43)}= svc_live_${"a".repeat(36)}`;
      response.writeHead(500, { "set-cookie": "sid=hush", "x-seen": signature, "x-api-key": "hush" }).end(secrets);
    };
    const { api, own, attempts } = await world(echo);
    await api.post(`${own}/test`, {});
    const [{ request, response }] = await attempts();
    expect(request.url).toMatch(/\/hook\?token=…&…$/);
    expect(response.headers).toMatchObject({ "set-cookie": "…", "x-seen": "…", "x-api-key": "…" });
    expect(response.body).toBe("v1,… … … …");
    expect(JSON.stringify([request, response])).not.toContain("hush");
  });

  test.each([
    ["a connection that is cut before an answer", "", "connection_reset", null],
    ["an answer that is no HTTP", "SMTP 220 hello\r\n\r\n", "invalid_response", null],
    ["an answer that breaks off", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort", "truncated", 200],
  ])("show %s", async (_name, text, error_code, status) => {
    const { api, own, attempts, shop } = await world();
    shop.server.removeAllListeners("secureConnection");
    shop.server.on("secureConnection", (socket) => socket.once("data", () => socket.end(text)));
    await api.post(`${own}/test`, {});
    const response = status === null ? null : { status, truncated: true };
    expect(await attempts()).toMatchObject([{ status: "failed", error_code, response }]);
  });
});

test("an endpoint shows how its deliveries have been going", async () => {
  const { tenant, api, own, project } = await world(acceptsPaid(503));
  expect((await api.get(own)).body.deliveries).toEqual({ waiting: 0, recent_attempts: 0, recent_success_rate: null, last_error: null });
  await emitSome(ctx, tenant, 3, "order.paid");
  await emitSome(ctx, tenant, 1, "order.failed");
  await hand.deliver();
  const last_error = { error_code: "http_error", response_status: 503 };
  const expected = { waiting: 1, recent_attempts: 4, recent_success_rate: 0.75, last_error };
  expect((await api.get(own)).body.deliveries).toMatchObject(expected);
  expect((await api.get(`${project}/webhooks`)).body.data).toMatchObject([{ deliveries: expected }]);
});

test("an event's deliveries show every endpoint that subscribed to it", async () => {
  const { tenant, api, project, shop, events, id } = await world();
  const second = (await api.post(`${project}/webhooks`, { url: `${shop.url}/second`, events: ["order.paid"] })).body.id;
  await api.post(`${project}/webhooks`, { url: shop.url, events: ["order.failed"] });
  await emitSome(ctx, tenant);
  await hand.deliver();
  const [event] = await events();
  expect(event).toMatchObject({ object: "event", sequence: expect.any(Number) });
  const { data } = (await api.get(`${project}/events/${event.id}/deliveries`)).body;
  const shown = { object: "webhook_delivery", event_id: event.id, status: "delivered", attempts: 1 };
  expect(data).toMatchObject([second, id].map((webhook_id) => ({ ...shown, webhook_id })));
});

test("a URL with a fragment is refused everywhere", async () => {
  const { api, project, patch, shop } = await world();
  const url = `${shop.url}/hook#part`;
  const refused = { status: 400, body: { error: { code: "url_not_allowed", message: expect.stringContaining("fragment") } } };
  expect(await api.post(`${project}/webhooks`, { url, events: ["*"] })).toMatchObject(refused);
  expect(await patch({ url })).toMatchObject(refused);
  const mail = { from: "a@simulator.tillpost.test", to: "delivered@simulator.tillpost.test", subject: "x", text: "x" };
  expect(await api.post("/v1/emails", { ...mail, status_callback: url })).toMatchObject(refused);
});
