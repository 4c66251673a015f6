import { createHmac } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { type Received, receiver } from "#test/support/network/receiver.ts";
import { emitSome, handOf } from "#test/support/webhooks/webhook-world.ts";

const app = await testApp({ egress: await localEgress(), startsAt: new Date().toISOString() });
const hand = handOf(app.ctx);
const hourMs = 3_600_000;

/** Which secrets a delivery is signed with, by each of the two schemes, whatever the time is. */
function signedBy(one: Received, secrets: Record<string, string>) {
  const {
    "x-service-signature": signature,
    "webhook-id": id = "",
    "webhook-timestamp": second,
    "webhook-signature": signatures = "",
  } = one.headers;
  const plain = Object.entries(secrets).filter(([, secret]) => createHmac("sha256", secret).update(one.body).digest("hex") === signature);
  const sent = new Date(Number(second) * 1000);
  const standard = Object.entries(secrets).filter(([, secret]) =>
    signatures.split(" ").includes(new StandardWebhook(secret).sign(id, sent, one.body.toString())),
  );
  return { plain: plain.map(([name]) => name), standard: standard.map(([name]) => name) };
}

async function endpoint() {
  const tenant = await app.tenant();
  const shop = await receiver();
  const api = app.api(tenant.key);
  const own = `/api/v1/projects/${tenant.project_id}/webhooks`;
  const made = (await api.post(own, { url: shop.url, events: ["order.paid"] })).body;
  app.clock.set(new Date());
  const receive = async () => {
    await emitSome(app.ctx, tenant);
    await hand.deliver();
    return shop.received.at(-1) as Received;
  };
  return { tenant, api, own: `${own}/${made.id}`, first: made.secret as string, receive };
}

describe("a webhook secret's roll", () => {
  test("is refused while another one is open, and X-Service-Signature keeps its key", async () => {
    const { api, own, first, receive } = await endpoint();
    const second = (await api.post(`${own}/roll-secret`, {})).body.secret;
    const conflict = await api.post(`${own}/roll-secret`, {});
    expect(conflict).toMatchObject({
      status: 409,
      body: { error: { code: "secret_roll_conflict", message: expect.stringContaining(second.slice(-4)) } },
    });
    expect(signedBy(await receive(), { first, second })).toEqual({ plain: ["first"], standard: ["first", "second"] });
  });

  test("can't be promoted if there isn't one", async () => {
    const { api, own } = await endpoint();
    expect(await api.post(`${own}/promote-secret`, {})).toMatchObject({ status: 409, body: { error: { code: "secret_roll_conflict" } } });
  });

  test("shows until when the old secret still signs, and expire_old_now ends it", async () => {
    const { api, own, first, receive } = await endpoint();
    expect((await api.get(own)).body).toMatchObject({ old_secret_until: null });
    const rolled = (await api.post(`${own}/roll-secret`, {})).body;
    const at = app.clock.now().getTime();
    expect(rolled).toMatchObject({
      next_secret_at: new Date(at + 24 * hourMs).toISOString(),
      old_secret_until: new Date(at + 48 * hourMs).toISOString(),
    });
    const promoted = (await api.post(`${own}/promote-secret`, {})).body;
    expect(promoted).toMatchObject({ next_secret_at: null, old_secret_until: new Date(at + 24 * hourMs).toISOString() });
    const secrets = { first, second: rolled.secret };
    expect(signedBy(await receive(), secrets)).toEqual({ plain: ["second"], standard: ["first", "second"] });
    expect((await api.post(`${own}/promote-secret`, { expire_old_now: true })).body).toMatchObject({ old_secret_until: null });
    expect(signedBy(await receive(), secrets)).toEqual({ plain: ["second"], standard: ["second"] });
    expect(await api.post(`${own}/promote-secret`, { expire_old_now: true })).toMatchObject({ status: 409 });
  });

  test("takes effect automatically after 24 hours and no sooner, and for another day the old secret also signs", async () => {
    const { api, own, first, receive } = await endpoint();
    const second = (await api.post(`${own}/roll-secret`, {})).body.secret;
    const [before, after, alone] = [
      { plain: ["first"], standard: ["first", "second"] },
      { plain: ["second"], standard: ["first", "second"] },
      { plain: ["second"], standard: ["second"] },
    ];
    for (const [passed, signs] of [
      [24 * hourMs - 1, before],
      [1, after],
      [24 * hourMs - 1, after],
      [1, alone],
    ] as const) {
      app.clock.advance(passed);
      expect(signedBy(await receive(), { first, second })).toEqual(signs);
    }
  });

  test("takes no secret away before its 24 hours: a second one is promoted only after the first old secret has ended", async () => {
    const { api, own, first, receive } = await endpoint();
    const second = (await api.post(`${own}/roll-secret`, {})).body.secret;
    const { old_secret_until } = (await api.post(`${own}/promote-secret`, {})).body;
    app.clock.advance(hourMs);
    const third = (await api.post(`${own}/roll-secret`, {})).body.secret;
    expect(await api.post(`${own}/promote-secret`, {})).toMatchObject({
      status: 409,
      body: { error: { code: "secret_roll_conflict", message: expect.stringContaining(old_secret_until) } },
    });
    const secrets = { first, second, third };
    app.clock.advance(23 * hourMs - 1);
    expect(signedBy(await receive(), secrets)).toEqual({ plain: ["second"], standard: ["first", "second", "third"] });
    app.clock.advance(1);
    expect(await api.post(`${own}/promote-secret`, {})).toMatchObject({ status: 200 });
    expect(signedBy(await receive(), secrets)).toEqual({ plain: ["third"], standard: ["second", "third"] });
  });

  test("with expire_old_now ends both earlier secrets, although the first one would sign for longer", async () => {
    const { api, own, first, receive } = await endpoint();
    const second = (await api.post(`${own}/roll-secret`, {})).body.secret;
    await api.post(`${own}/promote-secret`, {});
    const third = (await api.post(`${own}/roll-secret`, {})).body.secret;
    expect(await api.post(`${own}/promote-secret`, { expire_old_now: true })).toMatchObject({ status: 200 });
    expect(signedBy(await receive(), { first, second, third })).toEqual({ plain: ["third"], standard: ["third"] });
  });

  test("with expire_old_now replaces a leaked secret immediately", async () => {
    const { api, own, first, receive } = await endpoint();
    const rolled = (await api.post(`${own}/roll-secret`, { expire_old_now: true })).body;
    expect(rolled).toMatchObject({ secret_last4: rolled.secret.slice(-4), next_secret_last4: null, old_secret_until: null });
    expect(signedBy(await receive(), { first, second: rolled.secret })).toEqual({ plain: ["second"], standard: ["second"] });
  });

  test("is opened once by a double click", async () => {
    const { api, own, first, receive } = await endpoint();
    const both = await Promise.all([api.post(`${own}/roll-secret`, {}), api.post(`${own}/roll-secret`, {})]);
    expect(both.map((one) => one.status).sort()).toEqual([200, 409]);
    const second = both.find((one) => one.status === 200)?.body.secret;
    expect(signedBy(await receive(), { first, second })).toEqual({ plain: ["first"], standard: ["first", "second"] });
  });
});

describe("the callback secret's roll", () => {
  const own = (tenant: TestTenant) => `/api/v1/projects/${tenant.project_id}/callback-secret`;

  test("follows the same rules", async () => {
    const tenant = await app.tenant();
    const api = app.api(tenant.key);
    expect(await api.post(`${own(tenant)}/promote`, {})).toMatchObject({ status: 409, body: { error: { code: "secret_roll_conflict" } } });
    await api.post(`${own(tenant)}/roll`, {});
    expect(await api.post(`${own(tenant)}/promote`, {})).toMatchObject({ status: 409 });
    const second = (await api.post(`${own(tenant)}/roll`, {})).body;
    expect(second).toMatchObject({ old_secret_until: new Date(app.clock.now().getTime() + 48 * hourMs).toISOString() });
    expect(await api.post(`${own(tenant)}/roll`, {})).toMatchObject({ status: 409 });
    expect((await api.post(`${own(tenant)}/promote`, { expire_old_now: true })).body).toMatchObject({
      secret_last4: second.secret.slice(-4),
      old_secret_until: null,
    });
  });
});
