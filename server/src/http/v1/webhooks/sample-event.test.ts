import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { putProfile } from "#collection/index.ts";
import { createOrder, reportPayment, reviewOrder, simulatePayment, startPayment } from "#orders/index.ts";
import { payloadName } from "#schemas/index.ts";
import { localEgress } from "#test/certificate.ts";
import { house } from "#test/house.ts";
import { receiver } from "#test/receiver.ts";
import { deliverDue, handOf } from "#test/webhook-world.ts";
import { eventNames } from "#webhooks/index.ts";

const home = await house({ egress: await localEgress(), startsAt: new Date().toISOString() });
const { ctx } = home;
const hand = handOf(ctx);
const shop = await receiver();
const tenant = await home.tenant();
const api = home.api(tenant.key);
const project = `/api/v1/projects/${tenant.project_id}`;
const endpoint = (await api.post(`${project}/webhooks`, { url: shop.url, events: ["*", "email.queued"] })).body.id;

const document = (await home.api().get("/openapi.json")).body;
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

async function sampleOf(event: string) {
  await api.post(`${project}/webhooks/${endpoint}/test`, { event });
  return JSON.parse(shop.received.at(-1)?.body.toString() ?? "");
}

describe("a sample", () => {
  test.each([...eventNames])("of %s has the documented shape", async (event) => {
    const sample = await sampleOf(event);
    expect(sample).toMatchObject({ event, test: true, livemode: false, data: { project_id: tenant.project_id } });
    expect(faultsOf(sample)).toEqual([]);
  });

  test("has the fields of the real event, for every event that a project can bring about here", async () => {
    await putProfile(ctx, tenant, { channel: "wechat", if_version: null, qr_payload: "wxp://f2f0ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgh", enabled: true });
    const order = async () => (await createOrder(ctx, tenant, { amount_minor: 9900, currency: "CNY" })).order.id;
    for (const outcome of ["paid", "failed", "overpaid", "expire", "late"] as const) await simulatePayment(ctx, tenant, { order_id: await order(), outcome });
    const rejected = await order();
    await startPayment(ctx, tenant, { order_id: rejected, gateway: "wechatpay" });
    await reportPayment(ctx, tenant, { order_id: rejected });
    await reviewOrder(ctx, tenant, { order_id: rejected, decision: "reject", reason_code: "not_received" });
    await api.post("/v1/suppressions", { address: "bob@example.com" });
    await api.call("DELETE", "/v1/suppressions/bob@example.com");
    await api.post("/v1/emails", { from: "a@simulator.tillpost.test", to: "delivered@simulator.tillpost.test", subject: "Hi", text: "Hi" });
    await hand.deliver();
    await deliverDue(ctx, [endpoint]);
    const real = shop.received.map((one) => JSON.parse(one.body.toString())).filter((event) => event.test === undefined);
    const seen = new Map(real.map((event) => [event.event, event]));
    expect([...seen.keys()].length).toBeGreaterThanOrEqual(12);
    for (const [name, event] of seen) {
      expect(faultsOf(event), name).toEqual([]);
      const sample = fieldsOf((await sampleOf(name)).data);
      // Free-form parts and what only some events of a name have: metadata, what a voucher or an order adds, a single recipient.
      const free = /\.(metadata|detail|tags|voucher|error|bounce|recipient)\b|payment_exception$/;
      const missing = fieldsOf(event.data).filter((field) => !sample.includes(field) && !free.test(field));
      expect(missing, name).toEqual([]);
    }
  });
});
