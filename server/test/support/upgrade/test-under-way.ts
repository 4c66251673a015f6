import { expect, it } from "vitest";
import { emailQueue } from "#email/channel/tables.sql.ts";
import { sendNotices } from "#notices/index.ts";
import { auditBooks, expireDue } from "#orders/index.ts";
import { noticeQueue, reviveNotices } from "#platform/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import type { MailRoom } from "#test/support/mail/mail.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { countJobs } from "#test/support/queues/queues.sql.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { handOf } from "#test/support/webhooks/webhook-world.ts";
import { deliveryQueue, reviveExpired } from "#webhooks/index.ts";
import type { Known, KnownShop } from "./known.ts";
import { good } from "./preserved-states.ts";

type UnderWay = NonNullable<Known["underWay"]>;

const dayMs = 86_400_000;
const shopAt = (known: Known, index: number) => known.shops[index] as KnownShop;
const baseOf = ({ project_id }: KnownShop) => `/api/v1/projects/${project_id}`;

/** Tests that what was half done, or held by lost workers, is resumed and done once. */
export function testUnderWay(
  { app, known, room }: { app: TestApp; known: Known; room: MailRoom },
  { mails, deliveries, half }: UnderWay,
): void {
  it("finishes an interrupted import when it is repeated with its key", async () => {
    const api = app.api(shopAt(known, half.shop).key);
    const apply = () => api.post(half.path, {}, { headers: { "idempotency-key": half.key } });
    const first = await apply();
    expect(first).toMatchObject({ status: 200, body: { rows: 2, created: 2 } });
    expect(await apply()).toMatchObject({ status: 200, body: first.body, headers: { "idempotent-replayed": "true" } });
  });

  it("pays an order with the receipt that was suggested for it", async () => {
    const shop = shopAt(known, half.shop);
    const api = app.api(shop.key);
    const { receipt, order } = half.suggested;
    good(await api.post(`${baseOf(shop)}/receipts/${receipt}/link`, { order_id: order }));
    expect(good(await api.get(`${baseOf(shop)}/orders/${order}`)).status).toBe("paid");
  });

  it("sends each email once that a lost worker had, that was deferred, or that waited in a batch", async () => {
    const shop = shopAt(known, mails.shop);
    await room.settle();
    for (const name of ["at_its_server", "lost", "unknown", "deferred", "batch"] as const) {
      expect(await room.status(shop, mails[name]), name).toBe("delivered");
      expect(emailsOf(room, mails[name]), name).toBe(1);
    }
  });

  it("makes the delivery that a lost worker had, once", async () => {
    const shop = shopAt(known, deliveries.shop);
    const merchant = await receiver();
    good(await app.api(shop.key).call("PATCH", `${baseOf(shop)}/webhooks/${deliveries.hanging}`, { body: { url: merchant.url } }));
    await deliverAll(app);
    expect(merchant.received.map(({ body }) => JSON.parse(body.toString()).event)).toEqual(["order.created"]);
  });
}

/** Tests that every question that waited for a person can be answered. */
export function testDecisions(app: TestApp, known: Known): void {
  it("lets people decide about every report, exception and receipt", async () => {
    for (const shop of known.shops) {
      const api = app.api(shop.key);
      const all = async (path: string) => good(await api.get(`${baseOf(shop)}/${path}`)).data as { id: string }[];
      for (const [at, { id }] of (await all("orders?status=pending_verify&limit=100")).entries()) {
        const decision = at % 2 === 0 ? { decision: "approve" } : { decision: "reject", reason_code: "not_received" };
        good(await api.post(`${baseOf(shop)}/orders/${id}/verification`, decision));
      }
      for (const { id } of await all("exceptions?status=open&limit=100"))
        good(await api.post(`${baseOf(shop)}/exceptions/${id}/resolve`, { action: "ignore", note: "seen" }));
      for (const { id } of await all("receipts?status=unmatched&limit=100"))
        good(await api.post(`${baseOf(shop)}/receipts/${id}/ignore`, { reason: "not ours" }));
      for (const path of ["orders?status=pending_verify", "exceptions?status=open", "receipts?status=unmatched"])
        expect(await all(path), path).toEqual([]);
    }
    expect(await auditBooks(app.ctx)).toEqual([]);
  });
}

/** Tests that within weeks everything ends automatically: no queue has anything left, and nothing was set aside. */
export function testEnds(app: TestApp, room: MailRoom): void {
  it("has nothing in progress after some weeks", async () => {
    await eventually("every queue is empty", async () => {
      app.clock.advance(2 * dayMs);
      await deliverAll(app);
      while ((await expireDue(app.ctx)) > 0);
      while ((await reviveNotices(app.ctx)) + (await sendNotices(app.ctx)) > 0);
      await room.settle();
      const open = await Promise.all([emailQueue, deliveryQueue, noticeQueue].map((queue) => countJobs(app.ctx.db, queue)));
      return open.every((queue) => queue.open === 0);
    });
    expect(await auditBooks(app.ctx)).toEqual([]);
  });
}

async function deliverAll({ ctx }: TestApp): Promise<void> {
  while ((await reviveExpired(ctx)) > 0);
  await handOf(ctx).deliver();
}

function emailsOf({ transport }: MailRoom, email_id: string): number {
  return transport.emails.filter((outgoing) => outgoing.email_id === email_id).length;
}
