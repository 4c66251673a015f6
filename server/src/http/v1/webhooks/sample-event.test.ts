import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { putProfile } from "#collection/index.ts";
import { verifyDomain } from "#email/index.ts";
import { emitTest } from "#events/index.ts";
import { changeLimits, changeOperatorCaps, guardTasks, listPauses, releasePause } from "#guards/index.ts";
import { applyDispute } from "#orders/dispute/apply-dispute.ts";
import { createOrder, failRefund, refundOrder, reportPayment, simulatePayment, startPayment } from "#orders/index.ts";
import { reversePayment, reviewOrder } from "#reconciliation/index.ts";
import { payloadName } from "#schemas/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { mailRoom } from "#test/support/mail/mail.ts";
import { callRoom } from "#test/support/messages/calls.ts";
import { liveShop, openSms, scriptedCarrier, smsRoom } from "#test/support/messages/sms.ts";
import { testCode, verificationRoom } from "#test/support/messages/verifications.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { eventNames, fanOut } from "#webhooks/index.ts";
import { sampleData } from "./sample-event.ts";

const carrier = scriptedCarrier();
const app = await testApp({ egress: await localEgress(), startsAt: new Date().toISOString(), sms: openSms([carrier]) });
const { ctx } = app;
const shop = await receiver();
const tenant = await app.tenant();
const api = app.api(tenant.key);
const project = `/api/v1/projects/${tenant.project_id}`;
const endpoint = (await api.post(`${project}/webhooks`, { url: shop.url, events: ["*", "email.queued"] })).body.id;

const document = (await app.api().get("/openapi.json")).body;
const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (one: typeof ajv) => void)(ajv);
ajv.addSchema(document, "document");
const faultsOf = (event: { event: string }) => {
  const check = ajv.getSchema(`document#/components/schemas/${payloadName(event.event)}`);
  return check?.(event) === true ? [] : (check?.errors ?? ["no schema"]);
};

/** The names of all fields, with what is inside them; lists by their first item, and nothing inside what is null. */
function fieldsOf(value: unknown, at = ""): string[] {
  if (Array.isArray(value)) return value.length === 0 ? [] : fieldsOf(value[0], `${at}[]`);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [`${at}.${name}`, ...fieldsOf(inner, `${at}.${name}`)]);
}

const samples = new Map<string, Event>();

/** Made once for each event, as a test makes it, but not sent. */
async function sampleOf(event: string): Promise<Event> {
  const known = samples.get(event);
  if (known !== undefined) return known;
  const data = event === "webhook.test" ? { webhook: { id: endpoint } } : sampleData(event, ctx.now());
  const { body } = await ctx.transact((tx) => emitTest(tx, ctx, { tenant, event, object_id: endpoint, data }));
  const sample = JSON.parse(body.toString()) as Event;
  samples.set(event, sample);
  return sample;
}

describe("a sample", () => {
  test.each(["webhook.test", "email.clicked"])("of %s is what a test sends", async (event) => {
    await api.post(`${project}/webhooks/${endpoint}/test`, { event });
    const sent = JSON.parse(shop.received.at(-1)?.body.toString() ?? "");
    expect({ ...(await sampleOf(event)), id: sent.id }).toEqual(sent);
  });

  test.each([...eventNames])("of %s has the documented shape", async (event) => {
    const sample = await sampleOf(event);
    expect(sample).toMatchObject({ event, test: true, livemode: false, data: { project_id: tenant.project_id } });
    expect(faultsOf(sample)).toEqual([]);
  });

  test("has the fields of the real event, whatever a project causes", async () => {
    await bringAboutMoney();
    await bringAboutMail();
    await bringAboutCalls();
    await bringAboutVerifications();
    const guarded = await bringAboutGuards();
    while ((await fanOut(ctx)) > 0);
    const seen = new Map<string, Event>();
    for (const one of [tenant, guarded]) for (const event of await eventsOf(one)) if (!seen.has(event.event)) seen.set(event.event, event);
    // A test event is itself a sample.
    expect([...seen.keys()].sort()).toEqual(eventNames.filter((name) => name !== "webhook.test").sort());
    const faults: Record<string, unknown> = {};
    for (const [name, event] of seen) {
      const sample = fieldsOf((await sampleOf(name)).data);
      // The merchant's own words, and what an exception is about.
      const free = /\.(metadata|detail|tags|call\.gathered)\b/;
      const missing = fieldsOf(event.data).filter((field) => !sample.includes(field) && !free.test(field));
      if (missing.length + faultsOf(event).length > 0) faults[name] = [...missing, ...faultsOf(event)];
    }
    expect(faults).toEqual({});
  });
});

interface Event {
  object?: string;
  sequence?: number;
  event: string;
  data: object;
}

/** All events of a project, as its list shows them. */
async function eventsOf({ project_id, key }: TestTenant): Promise<Event[]> {
  const found: Event[] = [];
  for (let after = ""; after !== "?"; ) {
    const page = await app.api(key).get(`/api/v1/projects/${project_id}/events?limit=100${after}`);
    const { data, next_cursor } = page.body as { data: Event[]; next_cursor: string | null };
    found.push(...data.map(({ object: _object, sequence: _sequence, ...event }) => event));
    after = next_cursor === null ? "?" : `&starting_after=${next_cursor}`;
  }
  return found;
}

/** Everything that the guards of LIVE messages tell; in TEST they are played without events. */
async function bringAboutGuards(): Promise<TestTenant> {
  const guarded = await liveShop(app);
  await changeLimits(ctx, { project_id: guarded.project_id, countries: ["US", "GB"], if_version: null });
  await changeOperatorCaps(ctx, { project_id: guarded.project_id, operator_caps: { daily_segments: 32 }, if_version: null });
  const room = smsRoom(ctx, [carrier]);
  for (let at = 0; at < 32; at += 1) await room.send(guarded, { to: `+4474001${23_400 + at}` });
  for (const task of guardTasks()) await task.run(ctx);
  for (const { id } of (await listPauses(ctx, guarded, { limit: 10, status: [] })).rows) await releasePause(ctx, guarded, id);
  return guarded;
}

/** Everything that can happen to an order and its money. */
async function bringAboutMoney(): Promise<void> {
  await putProfile(ctx, tenant, {
    channel: "wechat",
    if_version: null,
    qr_payload: "wxp://f2f0ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgh",
    enabled: true,
  });
  const order = async () => (await createOrder(ctx, tenant, { amount_minor: 9900, currency: "CNY" })).order.id;
  for (const outcome of ["paid", "failed", "overpaid", "expire", "late"] as const)
    await simulatePayment(ctx, tenant, { order_id: await order(), outcome });
  const rejected = await order();
  await startPayment(ctx, tenant, { order_id: rejected, gateway: "wechatpay" });
  await reportPayment(ctx, tenant, { order_id: rejected });
  await reviewOrder(ctx, tenant, { order_id: rejected, decision: "reject", reason_code: "not_received" });
  const [refunded, mistaken] = [await order(), await order()];
  for (const order_id of [refunded, mistaken]) await reviewOrder(ctx, tenant, { order_id, decision: "approve", gateway: "wechatpay" });
  const { id } = await refundOrder(ctx, tenant, { order_id: refunded, amount_minor: 100 });
  await failRefund(ctx, tenant, { refund_id: id, failure_code: "returned" });
  await reversePayment(ctx, tenant, { order_id: mistaken, cause: "not_received", note: "last week's picture" });
  const disputed = await order();
  await simulatePayment(ctx, tenant, { order_id: disputed, outcome: "paid" });
  for (const state of ["opened", "lost"] as const) await dispute(disputed, "dp_1", state);
  for (const state of ["opened", "won"] as const) await dispute(disputed, "dp_2", state);
}

async function dispute(order_id: string, providerDisputeId: string, state: "opened" | "won" | "lost"): Promise<void> {
  const payment = { reference: null, providerId: null, captureId: null };
  const amount = { amount_minor: 9900, currency: "CNY" };
  const dispute = { providerDisputeId, payment, state, amount, reason: "fraudulent", occurredAt: ctx.now() };
  const of = { order_id, payment_session_id: "ps_none" };
  await applyDispute(ctx, { tenant, credentialId: "gc_none", gateway: "stripe", payment: of, dispute });
}

async function made(path: string, body: object): Promise<string> {
  const answer = await api.post(path, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body.id;
}

/** Everything that can happen to a call. */
async function bringAboutCalls(): Promise<void> {
  const room = callRoom(app);
  const call = { actions: [{ verb: "gather", name: "pin", num_digits: 1 }], record: true };
  for (const to of ["+15005552000", "+15005552001", "+15005552002", "+15005552003"]) await room.place(tenant, { ...call, to });
  const later = await room.place(tenant, {
    ...call,
    to: "+15005552000",
    scheduled_at: new Date(ctx.now().getTime() + 86_400_000).toISOString(),
  });
  await made(`/v1/calls/${later.id}/hangup`, {});
  await room.settle();
}

/** Every end that a verification can have. */
async function bringAboutVerifications(): Promise<void> {
  const begin = () => made("/v1/verifications", { to: "+15005551100", channels: ["sms"], expires_in: 60 });
  await made(`/v1/verifications/${await begin()}/check`, { code: testCode });
  await made(`/v1/verifications/${await begin()}/cancel`, {});
  const guessed = await begin();
  for (let guess = 0; guess < 5; guess += 1) await made(`/v1/verifications/${guessed}/check`, { code: "000000" });
  await begin();
  app.clock.advance(60_000);
  await verificationRoom(ctx).processDue();
}

/** Everything that can happen to a message, to an address and to a domain. */
async function bringAboutMail(): Promise<void> {
  const email = { from: "a@simulator.tillpost.test", subject: "Hi", html: "<p>Hi</p>", tracking: { opens: true, clicks: true } };
  const [found, lost] = [
    await made("/v1/domains", { name: "shop.simulator.tillpost.test" }),
    await made("/v1/domains", { name: "missing.simulator.tillpost.test" }),
  ];
  await made("/v1/suppressions", { address: "bob@example.com" });
  await api.delete("/v1/suppressions/bob@example.com");
  for (const value of ["CORNER", "+15005550007"]) await made("/v1/numbers", { value });
  const parts = ["delayed", "bounced", "complained", "failed", "suppressed", "opened", "clicked", "stuck"];
  for (const part of parts) await made("/v1/emails", { ...email, to: `${part}@simulator.tillpost.test` });
  const arrived = [
    await made("/v1/emails", { ...email, to: "ada@corner-readers.com" }),
    await made("/v1/emails", { ...email, to: "eve@corner-readers.com" }),
  ];
  const later = await made("/v1/emails", {
    ...email,
    to: "ada@corner-readers.com",
    scheduled_at: new Date(ctx.now().getTime() + 86_400_000).toISOString(),
  });
  await made(`/v1/emails/${later}/cancel`, {});
  for (const to of ["+15005551000", "+15005551001", "+15005551002"]) await made("/v1/sms", { to, body: "Hi" });
  const sms = await made("/v1/sms", {
    to: "+15005551000",
    body: "Hi",
    scheduled_at: new Date(ctx.now().getTime() + 86_400_000).toISOString(),
  });
  await made(`/v1/sms/${sms}/cancel`, {});
  await made("/v1/test/inbound", { sms: { from: "+15005551000", body: "STOP" } });
  const [room, handsets] = [mailRoom(ctx), smsRoom(ctx)];
  for (let round = 0; round < 6; round += 1) {
    await room.settle();
    await handsets.settle();
    app.clock.advance(2_000);
  }
  for (const [index, type] of ["reply", "unsubscribe"].entries()) await made("/v1/test/inbound", { type, email_id: arrived[index] });
  await verifyDomain(ctx, tenant, { id: found });
  app.clock.advance(4 * 86_400_000);
  await verifyDomain(ctx, tenant, { id: lost });
}
