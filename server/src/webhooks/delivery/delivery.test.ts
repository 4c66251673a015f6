import { createHmac, timingSafeEqual } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { type Received, receiver } from "#test/support/network/receiver.ts";
import { emitSome, endpointAt, handOf } from "#test/support/webhooks/webhook-world.ts";
import { listDeliveryStates } from "#test/support/webhooks/webhooks.sql.ts";
import {
  changeEndpoint,
  findEndpoint,
  listAttempts,
  promoteSecret,
  replayEvents,
  retryAttempt,
  reviveExpired,
  rollSecret,
  sendTest,
} from "../index.ts";
import { fanOut } from "./fan-out.ts";
import { lockDueEndpoints, updateClaimed } from "./sending/claim.sql.ts";

const app = await testApp({ egress: await localEgress(), startsAt: new Date().toISOString() });
const { ctx, clock } = app;
const hand = handOf(ctx);
const attemptsOf = async (tenant: Parameters<typeof listAttempts>[1], id: string) =>
  (await listAttempts(ctx, tenant, { endpoint_id: id, limit: 100, status: null, event_id: null })).rows;

/** A receiver that knows nothing but the three published rules about `X-Service-Signature`. */
function acceptsPlain(secret: string, { headers, body }: Received): boolean {
  const given = Buffer.from(headers["x-service-signature"] ?? "");
  const wanted = Buffer.from(createHmac("sha256", secret).update(body).digest("hex"));
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

const acceptsStandard = (secret: string, { headers, body }: Received) => {
  for (const verifier of [new StandardWebhook(secret), new SvixWebhook(secret)]) verifier.verify(body.toString(), headers);
};

describe("signatures", () => {
  test("are accepted by both packages and by the three rules on their own; a changed byte, an old time and another secret are refused", async () => {
    const tenant = await app.tenant();
    const shop = await receiver();
    const { secret } = await endpointAt(ctx, tenant, shop.url);
    clock.set(new Date());
    await emitSome(ctx, tenant, 3);
    await hand.deliver();
    expect(shop.received).toHaveLength(3);
    for (const one of shop.received) {
      acceptsStandard(secret, one);
      expect(acceptsPlain(secret, one)).toBe(true);
      expect(one.headers["webhook-id"]).toBe(JSON.parse(one.body.toString()).id);
      const changed = { ...one, body: Buffer.from(one.body.toString().replace("order.paid", "order.said")) };
      const old = { ...one, headers: { ...one.headers, "webhook-timestamp": String(Number(one.headers["webhook-timestamp"]) - 600) } };
      const other = `whsec_${Buffer.alloc(32).toString("base64")}`;
      expect(() => acceptsStandard(secret, changed)).toThrow();
      expect(() => acceptsStandard(secret, old)).toThrow();
      expect(() => acceptsStandard(other, one)).toThrow();
      const plain = [acceptsPlain(secret, changed), acceptsPlain(other, one), acceptsPlain(secret, { ...one, headers: {} })];
      expect(plain).toEqual([false, false, false]);
    }
  });

  test("roll over without one refused delivery", async () => {
    const tenant = await app.tenant();
    const shop = await receiver();
    const { id, secret: first } = await endpointAt(ctx, tenant, shop.url);
    const receive = async () => {
      clock.set(new Date());
      await emitSome(ctx, tenant);
      await hand.deliver();
      return shop.received.at(-1) as Received;
    };
    const second = (await rollSecret(ctx, tenant, { id })).secret ?? "";
    const during = await receive();
    for (const secret of [first, second]) acceptsStandard(secret, during);
    expect([acceptsPlain(first, during), acceptsPlain(second, during)]).toEqual([true, false]);
    await promoteSecret(ctx, tenant, { id });
    const after = await receive();
    for (const secret of [first, second]) acceptsStandard(secret, after);
    expect([acceptsPlain(first, after), acceptsPlain(second, after)]).toEqual([false, true]);
    const third = (await rollSecret(ctx, tenant, { id })).secret ?? "";
    const three = await receive();
    for (const secret of [first, second, third]) acceptsStandard(secret, three);
    expect(three.headers["webhook-signature"]?.split(" ")).toHaveLength(3);
    clock.advance(24 * 3_600_000 + 1_000);
    expect(await findEndpoint(ctx, tenant, id)).toMatchObject({ secret_last4: third.slice(-4), next_secret: null });
  });
});

describe("a delivery", () => {
  test("is tried again on the schedule with the same id and bytes, and every attempt is recorded", async () => {
    const tenant = await app.tenant();
    let failures = 2;
    const shop = await receiver((_one, response) => response.writeHead(failures-- > 0 ? 500 : 200).end("hm"));
    const { id } = await endpointAt(ctx, tenant, shop.url);
    await emitSome(ctx, tenant);
    for (const wait of [0, 6_000, 360_000]) {
      clock.advance(wait);
      await hand.deliver();
    }
    expect(shop.received).toHaveLength(3);
    expect(new Set(shop.received.map((one) => one.body.toString())).size).toBe(1);
    const attempts = await attemptsOf(tenant, id);
    expect(attempts.map((one) => [one.attempt, one.status, one.error_code])).toEqual([
      [3, "succeeded", null],
      [2, "failed", "http_error"],
      [1, "failed", "http_error"],
    ]);
    expect(attempts[2]).toMatchObject({ response_status: 500, response_body: "hm", trigger: "automatic" });
    expect(await listDeliveryStates(ctx.db, tenant)).toMatchObject([{ state: "succeeded", attempts: 3 }]);
  });

  test("that never arrives ends after the last step, is never skipped and can be sent manually", async () => {
    const tenant = await app.tenant();
    let status = 500;
    const shop = await receiver((_one, response) => response.writeHead(status).end());
    const { id } = await endpointAt(ctx, tenant, shop.url);
    await emitSome(ctx, tenant);
    for (const wait of [0, 6_000, 360_000, 4_400_000]) {
      clock.advance(wait);
      await hand.deliver();
    }
    expect(await listDeliveryStates(ctx.db, tenant)).toMatchObject([{ state: "failed", attempts: 4 }]);
    const [last] = await attemptsOf(tenant, id);
    expect(last?.next_attempt_at).toBeNull();
    const retry = () => retryAttempt(ctx, tenant, { endpoint_id: id, attempt_id: last?.id ?? "" });
    expect(await retry()).toMatchObject({ status: "failed", attempt: 5, trigger: "manual", event_id: last?.event_id });
    expect(await listDeliveryStates(ctx.db, tenant)).toMatchObject([{ state: "failed" }]);
    status = 204;
    expect(await retry()).toMatchObject({ status: "succeeded", attempt: 6 });
    expect(await listDeliveryStates(ctx.db, tenant)).toMatchObject([{ state: "succeeded" }]);
  });

  test("whose worker died is due again within a minute, and its lost attempt is recorded", async () => {
    const tenant = await app.tenant();
    const shop = await receiver();
    const { id } = await endpointAt(ctx, tenant, shop.url);
    await emitSome(ctx, tenant);
    await fanOut(ctx);
    await ctx.transact(async (tx) => {
      const endpoints = (await lockDueEndpoints(tx, { limit: 10, staleAfterMs: 0, holder: "dead", full: [] })).map((endpoint) => ({
        ...endpoint,
        most: 5,
      }));
      await updateClaimed(tx, {
        endpoints,
        holder: "dead",
        lease: "dead 1",
        durationMs: 45_000,
        attemptIds: endpoints.map(() => ctx.id("wat")),
      });
    });
    await hand.deliver();
    expect(shop.received).toHaveLength(0);
    clock.advance(46_000);
    expect(await reviveExpired(ctx)).toBe(1);
    await hand.deliver();
    expect(shop.received).toHaveLength(1);
    expect((await attemptsOf(tenant, id)).map((one) => [one.attempt, one.status, one.error_code])).toEqual([
      [2, "succeeded", null],
      [1, "failed", "worker_lost"],
    ]);
    expect(await listDeliveryStates(ctx.db, tenant)).toMatchObject([{ step: 0 }]);
  });

  test("honors the receiver's Retry-After, within twice the plan", async () => {
    const tenant = await app.tenant();
    const shop = await receiver((_one, response) => response.writeHead(429, { "retry-after": "3600" }).end());
    await endpointAt(ctx, tenant, shop.url);
    await emitSome(ctx, tenant);
    await hand.deliver();
    const [one] = await listDeliveryStates(ctx.db, tenant);
    expect((one?.due_at.getTime() ?? 0) - ctx.now().getTime()).toBe(10_000);
  });
});

describe("an endpoint", () => {
  test("that answers 410 is disabled, and later deliveries are skipped until they are replayed", async () => {
    const tenant = await app.tenant();
    let status = 410;
    const shop = await receiver((_one, response) => response.writeHead(status).end());
    const { id } = await endpointAt(ctx, tenant, shop.url);
    const since = ctx.now();
    await emitSome(ctx, tenant);
    await hand.deliver();
    expect(await findEndpoint(ctx, tenant, id)).toMatchObject({ status: "disabled", disabled_reason: "gone" });
    await emitSome(ctx, tenant, 2);
    await hand.deliver();
    expect(await listDeliveryStates(ctx.db, tenant)).toMatchObject([{ state: "failed" }, { state: "skipped" }, { state: "skipped" }]);
    status = 200;
    await changeEndpoint(ctx, tenant, { id, if_version: null, status: "enabled" });
    expect(await replayEvents(ctx, tenant, { endpoint_id: id, since })).toMatchObject({ scheduled: 3, has_more: false });
    clock.advance(1_000);
    await hand.deliver();
    expect(shop.received).toHaveLength(4);
    expect((await listDeliveryStates(ctx.db, tenant)).map((one) => one.state)).toEqual(["succeeded", "succeeded", "succeeded"]);
  });

  test("that only fails has its breaker opened, which spends no attempts, and gets one delivery to prove itself", async () => {
    const tenant = await app.tenant();
    let status = 500;
    const shop = await receiver((_one, response) => response.writeHead(status).end());
    const { id } = await endpointAt(ctx, tenant, shop.url);
    await emitSome(ctx, tenant, 30);
    for (let n = 0; n < 4; n += 1) await hand.deliver();
    expect(shop.received).toHaveLength(10);
    const spent = (await listDeliveryStates(ctx.db, tenant)).reduce((sum, one) => sum + one.attempts, 0);
    expect(spent).toBe(10);
    expect(await findEndpoint(ctx, tenant, id)).toMatchObject({ consecutive_failures: 10, breaker_trips: 1 });
    clock.advance(31_000);
    await hand.deliver();
    expect(shop.received).toHaveLength(11);
    await hand.deliver();
    expect(shop.received).toHaveLength(11);
    status = 200;
    clock.advance(61_000);
    for (let n = 0; n < 9; n += 1) await hand.deliver();
    expect(await findEndpoint(ctx, tenant, id)).toMatchObject({ consecutive_failures: 0, breaker_until: null });
    const states = await listDeliveryStates(ctx.db, tenant);
    expect(states.every((one) => one.state === "succeeded" || one.attempts > 1 || one.step > 0)).toBe(true);
  });

  test("is tested immediately and individually, with the attempt as the response", async () => {
    const tenant = await app.tenant();
    const [tested, other] = [await receiver(), await receiver()];
    const { id, secret } = await endpointAt(ctx, tenant, tested.url);
    await endpointAt(ctx, tenant, other.url);
    clock.set(new Date());
    const attempt = await sendTest(ctx, tenant, { endpoint_id: id });
    expect(attempt).toMatchObject({
      status: "succeeded",
      trigger: "test",
      event: "webhook.test",
      attempt: 1,
      response_body: "ok",
      error_code: null,
    });
    await sendTest(ctx, tenant, { endpoint_id: id, event: "order.paid" });
    await hand.deliver();
    expect([tested.received.length, other.received.length]).toEqual([2, 0]);
    acceptsStandard(secret, tested.received[1] as Received);
    expect(JSON.parse(tested.received[1]?.body.toString() ?? "")).toMatchObject({
      event: "order.paid",
      data: { project_id: tenant.project_id },
    });
  });
});

describe("the egress", () => {
  test("is closed for a delivery, a test and a retry when a saved name has moved inside the network, and says only that", async () => {
    const canary = await receiver();
    const port = new URL(canary.url).port;
    let inside = false;
    const egress = await localEgress({
      allow: ["127.0.0.1/32"],
      resolve: async () => [{ address: inside ? "127.0.0.2" : "127.0.0.1", family: 4 }],
    });
    const guarded = { ...ctx, egress };
    const tenant = await app.tenant();
    const { id } = await endpointAt(guarded, tenant, `https://shop.receiver.example:${port}/`);
    inside = true;
    await emitSome(ctx, tenant);
    const own = handOf(guarded);
    await own.deliver();
    const [automatic] = await attemptsOf(tenant, id);
    const tested = await sendTest(guarded, tenant, { endpoint_id: id });
    const retried = await retryAttempt(guarded, tenant, { endpoint_id: id, attempt_id: automatic?.id ?? "" });
    for (const attempt of [automatic, tested, retried]) {
      expect(attempt).toMatchObject({
        status: "failed",
        error_code: "egress_blocked",
        response_status: null,
        response_headers: null,
        response_body: null,
      });
    }
    const moved = changeEndpoint(guarded, tenant, { id, if_version: null, url: `https://other.receiver.example:${port}/` });
    await expect(moved).rejects.toMatchObject({ code: "url_not_allowed" });
    expect(canary.received).toHaveLength(0);
    await egress.close();
  });

  test("isn't opened by a receiver that redirects deliveries", async () => {
    const canary = await receiver();
    const tenant = await app.tenant();
    const shop = await receiver((_one, response) => response.writeHead(307, { location: canary.url }).end());
    const { id } = await endpointAt(ctx, tenant, shop.url);
    expect(await sendTest(ctx, tenant, { endpoint_id: id })).toMatchObject({
      status: "failed",
      error_code: "http_error",
      response_status: 307,
    });
    expect(canary.received).toHaveLength(0);
  });
});
