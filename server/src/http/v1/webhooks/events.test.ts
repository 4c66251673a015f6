import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { simulatePayment, startPayment } from "#orders/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import { refusalsIn } from "#test/support/refusals/refusals.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { emitSome, endpointAt, handOf } from "#test/support/webhooks/webhook-world.ts";

const app = await testApp({ egress: await localEgress(), http: { perMinuteUnauthenticated: 1_000 } });
const refusals = refusalsIn(app);
const hand = handOf(app.ctx);
const pathOf = (tenant: { project_id: string }, rest = "") => `/api/v1/projects/${tenant.project_id}/events${rest}`;

refusals("GET /api/v1/projects/:projectId/events", () => ({}), [
  { name: "a cursor that names nothing", query: "starting_after=evt_none", status: 400, code: "invalid_cursor", param: "starting_after" },
  {
    name: "a delivery_success that is neither",
    query: "delivery_success=maybe",
    status: 400,
    code: "parameter_invalid",
    param: "delivery_success",
  },
]);
refusals("GET /api/v1/projects/:projectId/events/:id", async (tenant) => {
  await emitSome(app.ctx, tenant);
  await hand.deliver();
  return { params: { id: (await app.api(tenant.key).get(pathOf(tenant))).body.data[0].id } };
});
refusals("GET /api/v1/projects/:projectId/events/:id/deliveries", async (tenant) => {
  await emitSome(app.ctx, tenant);
  await hand.deliver();
  return { params: { id: (await app.api(tenant.key).get(pathOf(tenant))).body.data[0].id } };
});
refusals("GET /api/v1/projects/:projectId/events/stream", () => ({}), [
  {
    name: "a Last-Event-ID that names nothing",
    headers: { "last-event-id": "evt_none" },
    status: 400,
    code: "invalid_cursor",
    param: "Last-Event-ID",
  },
]);

test("what is delivered has only the documented fields; a list adds the object's type and its number", async () => {
  const { tenant, order } = await payShop(app);
  const shop = await receiver();
  await endpointAt(app.ctx, tenant, shop.url, ["order.paid", "payment.session.created"]);
  const made = await order({ metadata: { subscription_id: "sub_1" } });
  await startPayment(app.ctx, tenant, { order_id: made.order.id, gateway: "wechatpay" });
  await simulatePayment(app.ctx, tenant, { order_id: made.order.id, outcome: "paid" });
  await hand.deliver();
  const received = new Map(shop.received.map(({ body }) => JSON.parse(body.toString())).map((event) => [event.event, event]));
  const [started, paid] = [received.get("payment.session.created"), received.get("order.paid")];
  const envelope = ["id", "event", "created_at", "livemode", "api_version", "data"];
  const core = ["id", "reference", "status", "amount_minor", "currency", "metadata", "paid_at", "flags", "version"];
  expect([Object.keys(paid), Object.keys(paid.data), Object.keys(paid.data.order)]).toEqual([envelope, ["order", "project_id"], core]);
  const attempt = ["id", "gateway", "method", "status", "amount_minor", "payable_amount_minor", "currency", "failure_code"];
  expect([
    Object.keys(started),
    Object.keys(started.data),
    Object.keys(started.data.order),
    Object.keys(started.data.payment_session),
  ]).toEqual([envelope, ["order", "payment_session", "project_id"], core, attempt]);
  const listed = (await app.api(tenant.key).get(pathOf(tenant, "?event=order.paid"))).body.data;
  expect(listed).toEqual([{ object: "event", sequence: expect.any(Number), ...paid }]);
});

describe("pulled events", () => {
  test("are listed in the order of their numbers, filtered by name and by whether they arrived", async () => {
    const tenant = await app.tenant();
    const api = app.api(tenant.key);
    const shop = await receiver((one, response) =>
      response.writeHead(JSON.parse(one.body.toString()).event === "order.paid" ? 200 : 500).end(),
    );
    await endpointAt(app.ctx, tenant, shop.url);
    for (const event of ["order.paid", "order.failed", "order.paid"]) await emitSome(app.ctx, tenant, 1, event);
    await hand.deliver();
    const all = (await api.get(pathOf(tenant))).body.data as { id: string; event: string }[];
    expect(all.map((one) => one.event)).toEqual(["order.paid", "order.failed", "order.paid"]);
    const eventsOf = async (query: string) => (await api.get(pathOf(tenant, query))).body.data.map((one: { event: string }) => one.event);
    expect(await eventsOf("?delivery_success=false")).toEqual(["order.failed"]);
    expect(await eventsOf("?delivery_success=true")).toEqual(["order.paid", "order.paid"]);
    expect(await eventsOf("?event=order.failed")).toEqual(["order.failed"]);
    expect(await eventsOf(`?starting_after=${all[0]?.id}&limit=1`)).toEqual(["order.failed"]);
    expect((await api.get(pathOf(tenant, `?ending_before=${all[2]?.id}`))).body.data.map((one: { id: string }) => one.id)).toEqual([
      all[0]?.id,
      all[1]?.id,
    ]);
    expect((await api.get(pathOf(tenant, `/${all[0]?.id}`))).body).toEqual(all[0]);
    app.clock.advance(31 * 86_400_000);
    expect(await eventsOf("")).toEqual([]);
    expect(await api.get(pathOf(tenant, `/${all[0]?.id}`))).toMatchObject({ status: 404 });
  });

  test("stream to followers, and continue after the last one seen", async () => {
    const tenant = await app.tenant();
    const server = await app.server();
    await server.listen({ port: 0, host: "127.0.0.1" });
    const address = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}${pathOf(tenant, "/stream")}`;
    const follow = async (headers: Record<string, string>, query = "") => {
      const ending = new AbortController();
      const answer = await fetch(address + query, {
        headers: { authorization: `Bearer ${tenant.key}`, ...headers },
        signal: ending.signal,
      });
      const seen: { id: string; event: string }[] = [];
      const reading = (async () => {
        let text = "";
        for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
          text += Buffer.from(chunk).toString();
          for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
            const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
            if (data !== undefined) seen.push(JSON.parse(data));
            text = text.slice(end + 2);
          }
        }
      })().catch(() => {});
      const until = async (count: number) => {
        await eventually(`${count} events on the stream`, () => seen.length >= count);
        return seen;
      };
      return {
        until,
        stop: async () => {
          ending.abort();
          await reading;
        },
      };
    };
    const first = await follow({});
    await emitSome(app.ctx, tenant, 1, "order.created");
    await hand.deliver();
    const [firstEvent] = await first.until(1);
    await first.stop();
    for (const event of ["order.paid", "order.failed"]) await emitSome(app.ctx, tenant, 1, event);
    await hand.deliver();
    const second = await follow({ "last-event-id": firstEvent?.id ?? "" });
    expect((await second.until(2)).map((one) => one.event)).toEqual(["order.paid", "order.failed"]);
    const third = await follow({ "last-event-id": firstEvent?.id ?? "" }, "?event=order.failed");
    expect((await third.until(1)).map((one) => one.event)).toEqual(["order.failed"]);
    await Promise.all([second.stop(), third.stop()]);
  });
});
