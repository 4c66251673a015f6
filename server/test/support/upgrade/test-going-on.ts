import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { confirmMasterKeys, rotateMasterKeys } from "#app/master-keys/index.ts";
import type { LiveKeys } from "#app/master-keys/live-keys.ts";
import { sealedColumns } from "#app/master-keys/sealed-columns.ts";
import { auditChain, chainAudit } from "#audit/index.ts";
import { auditLedger, rollBalances } from "#ledger/index.ts";
import { auditBooks, expireDue, findOrder } from "#orders/index.ts";
import { migrate, readMasterKeys } from "#platform/index.ts";
import { recordReceipt, reviewOrder } from "#reconciliation/index.ts";
import { emptyDatabase, type OwnDatabase, type TestApp, testApp } from "#test/support/app/test-app.ts";
import { testMasterKeys } from "#test/support/app/test-environment.ts";
import { onServer } from "#test/support/database/postgres.ts";
import { type MailRoom, mailRoom } from "#test/support/mail/mail.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { pageHeaders, signIn, withHeaders } from "#test/support/people/visitors.ts";
import { listColumnsWithSealed } from "#test/support/sealed/sealed.sql.ts";
import { handOf } from "#test/support/webhooks/webhook-world.ts";
import { listAbsentStates } from "./absent-states.sql.ts";
import type { Known, KnownShop } from "./known.ts";
import { good, statusesOf } from "./preserved-states.ts";
import { testDecisions, testEnds, testUnderWay } from "./test-under-way.ts";
import { restore, type Written } from "./written.ts";

const migrations = new URL("../../../migrations/", import.meta.url);
const newMasterKey = `2:${"b6".repeat(32)}`;
const minuteMs = 60_000;
const dayMs = 86_400_000;

interface Options {
  /** States that its schema allows and that no row has; without it, they aren't checked. */
  absent?: string[];
  untilTheEnd?: boolean;
  /** A database that already contains it; without it, it is restored. */
  own?: OwnDatabase;
}

/** Restores a database that another version wrote, migrates it, and tests that everything in it continues. Call it at the top of a file. */
export async function testGoingOn({ known, sql, files }: Written, options: Options = {}): Promise<void> {
  const own = options.own ?? (await emptyDatabase());
  if (options.own === undefined) await restore(own.url, sql);
  const absent = await onServer(own.url, listAbsentStates);
  await migrate(own.url, migrations);
  const startsAt = new Date(Date.parse(known.at) + minuteMs).toISOString();
  const app = await testApp({ own, egress: await localEgress(), startsAt, http: { perMinuteUnauthenticated: 100_000 } });
  for (const [key, bytes] of Object.entries(files)) await app.ctx.files.put(key, Buffer.from(bytes, "base64"));
  const room = mailRoom(app.ctx);
  describe(`a database written by ${known.commit}, after today's migrations`, () => {
    it("has nothing left to migrate", async () => {
      expect(await migrate(own.url, migrations)).toEqual([]);
    });
    testWhatStays(app, known);
    testMoney(app, known);
    testSending(app, known, room);
    if (options.absent !== undefined) it("had rows in every state except these", () => expect(absent).toEqual(options.absent));
    if (known.underWay !== undefined) {
      testUnderWay({ app, known, room }, known.underWay);
      testDecisions(app, known);
    }
    testTime(app, known);
    if (options.untilTheEnd === true) testEnds(app, room);
  });
}

const shopAt = (known: Known, index: number) => known.shops[index] as KnownShop;

function testWhatStays(app: TestApp, known: Known): void {
  const { ctx } = app;
  /** Requests as the owner's browser, signed in before the upgrade, sends them. */
  const pageOf = ({ owner, livemode }: KnownShop) =>
    withHeaders(app, pageHeaders(owner.cookie, { "tillpost-environment": livemode ? "live" : "test" }));

  it("accepts a new master key for every sealed value, so that everything that follows works only with that one", async () => {
    const known = sealedColumns.map(({ name }) => name);
    for (const column of await listColumnsWithSealed(ctx.db)) expect(known).toContain(column);
    const live: LiveKeys = ctx.masterKeys;
    const startWith = async (...keys: string[]) => {
      live.keys = readMasterKeys(keys.join()).keys;
      await confirmMasterKeys(ctx);
    };
    await confirmMasterKeys(ctx);
    await startWith(testMasterKeys, newMasterKey);
    const rotation = { say: () => {}, pause: () => Promise.reject(new Error("nobody holds anything here")) };
    expect(await rotateMasterKeys(ctx, rotation)).toMatchObject({ current: 2, closed: [], removable: [1] });
    await startWith(newMasterKey);
  });

  it("shows each object in the state that it had, to the earlier keys", async () => {
    for (const [index, shop] of known.shops.entries()) expect(await statusesOf(app, shop)).toEqual(known.statuses[index]);
  });

  it("preserves the books, balances and audit chains", async () => {
    while ((await rollBalances(ctx, 1_000)) > 0);
    while ((await chainAudit(ctx)) > 0);
    expect(await auditBooks(ctx)).toEqual([]);
    expect((await auditLedger(ctx)).faults).toEqual([]);
    expect((await auditChain(ctx)).faults).toEqual([]);
  });

  it("keeps people signed in, and lets them sign in with their passwords", async () => {
    for (const [index, shop] of known.shops.entries()) {
      expect((await pageOf(shop).get("/api/profile/me")).body, shop.owner.email).toMatchObject({ email: shop.owner.email });
      expect(await signIn(app, shop.owner.email, `203.0.113.${index}`)).not.toBe("");
    }
  });

  it("opens the payment page of every link", async () => {
    for (const token of known.tokens) expect((await app.api(null).get(`/pay/${token}`)).status, token).toBe(200);
  });

  it("answers a repeated request with the result from before the upgrade", async () => {
    const { shop, path, body, key, id } = known.replay;
    const again = await app.api(shopAt(known, shop).key).post(path, body, { headers: { "idempotency-key": key } });
    expect(again).toMatchObject({ status: 201, body: { id }, headers: { "idempotent-replayed": "true" } });
  });
}

function testMoney({ ctx }: TestApp, known: Known): void {
  it("settles each payment in progress by what its buyer was asked for", async () => {
    for (const { shop, order_id, settles_by, ...payment } of known.waiting) {
      const tenant = shopAt(known, shop);
      if (settles_by === "review") await reviewOrder(ctx, tenant, { order_id, decision: "approve" });
      else await recordReceipt(ctx, tenant, { ...payment, occurred_at: ctx.now(), external_id: `after-${order_id}`, source: "listener" });
      expect((await findOrder(ctx, tenant, order_id)).order.status, JSON.stringify({ order_id, settles_by, ...payment })).toBe("paid");
    }
    expect(await auditBooks(ctx)).toEqual([]);
  });
}

function testSending(app: TestApp, known: Known, room: MailRoom): void {
  const { ctx, clock } = app;

  it("delivers what an endpoint was owed, signed with the earlier secret", async () => {
    const { shop, id, secret } = known.endpoint;
    const { project_id, key } = shopAt(known, shop);
    const merchant = await receiver();
    good(await app.api(key).call("PATCH", `/api/v1/projects/${project_id}/webhooks/${id}`, { body: { url: merchant.url } }));
    clock.set(new Date(Date.parse(known.at) + 120 * minuteMs));
    await handOf(ctx).deliver();
    expect(merchant.received.map(({ body }) => JSON.parse(body.toString()).event)).toEqual(
      expect.arrayContaining(["order.created", "order.paid"]),
    );
    for (const { body, headers } of merchant.received)
      expect(headers["x-service-signature"]).toBe(createHmac("sha256", secret).update(body).digest("hex"));
  });

  it("sends the waiting emails, now or at their time, with their files", async () => {
    await room.settle();
    for (const { shop, id } of known.mails) expect(await room.status(shopAt(known, shop), id), id).toBe("delivered");
    expect(room.transport.emails.filter(({ raw }) => raw.toString().includes("a.txt"))).toHaveLength(2);
  });
}

function testTime(app: TestApp, known: Known): void {
  it("expires unpaid orders", async () => {
    app.clock.set(new Date(Date.parse(known.at) + 40 * dayMs));
    while ((await expireDue(app.ctx)) > 0);
    for (const shop of known.shops) {
      const { orders = {} } = await statusesOf(app, shop);
      expect(Object.values(orders)).not.toContain("unpaid");
    }
    expect(await auditBooks(app.ctx)).toEqual([]);
  });
}
