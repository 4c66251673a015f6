import { afterEach, describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { disputedShops } from "#test/support/gateways/scripted/disputed-shops.ts";
import { pollDueRefunds } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { disputeView } from "../order/views.ts";
import { refundOrder } from "../refund/refund-order.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx } = app;
const { open, orderOf, disputesOf, eventsOf, casesOf, bookedOf, balanceOf, auditsOf, booksBalance } = disputedShops(app, gateway);
type Shop = Awaited<ReturnType<typeof open>>;
type Report = Parameters<Shop["report"]>[0];

const yuan = (amount_minor: number) => ({ amount_minor, currency: "CNY" });
/** A report at the present time; the clock moves on by ten minutes. */
const report = async (shop: Shop, more: Omit<Report, "at">) => {
  await shop.report({ at: 0, occurredAt: ctx.now(), ...more });
  app.clock.advance(600_000);
};
/** Requests a refund, and returns it as its provider doesn't confirm it yet. */
const unconfirmed = async (shop: Shop, amount_minor: number, how: "lost" | "pending" = "lost") => {
  if (how === "lost") gateway.fault("refund", { kind: "unknown_outcome", after: true });
  else gateway.refundsBegin = { state: "pending" };
  const refund = await refundOrder(ctx, shop.tenant, { order_id: shop.order_id, method: "gateway", amount_minor });
  expect(refund.status).toBe(how === "lost" ? "unknown" : "pending");
  gateway.refundsBegin = {};
  return refund.id;
};
/** A case of a payment with such a refund that was requested during its inquiry, and that was lost before the refund was confirmed. */
const lostBefore = async (refundMinor: number, how?: "lost" | "pending") => {
  const shop = await open();
  const lost = { state: "lost", amount: yuan(9_900), refundedSince: ctx.now() } as const;
  await report(shop, { state: "inquiry" });
  const id = await unconfirmed(shop, refundMinor, how);
  await report(shop, { state: "opened" });
  await report(shop, lost);
  expect(await disputesOf(shop)).toMatchObject([{ status: "lost", amount_minor: 9_900 }]);
  return { shop, id, lost };
};
const confirm = async (shop: Shop, id: string) => {
  gateway.changeRefund(id, { state: "succeeded" });
  await shop.send(gateway.refundCallback(id));
};
const fail = async (shop: Shop, id: string) => {
  gateway.changeRefund(id, { state: "failed", failure: { code: "returned", message: "It came back." } });
  await shop.send(gateway.refundCallback(id));
};

afterEach(() => booksBalance());

describe("a refund made during a case, and confirmed only after the case was lost, is part of what the case returned", () => {
  test.each(["lost", "pending"] as const)("although nothing else is reported: %s", async (how) => {
    const { shop, id, lost } = await lostBefore(3_000, how);
    expect(await casesOf(shop)).toMatchObject([{ detail: { over_minor: 3_000 } }]);
    gateway.changeRefund(id, { state: "succeeded" });
    await pollDueRefunds(app);
    expect(await bookedOf(shop)).toEqual([-9_900, 9_900, -6_900]);
    expect(await balanceOf(shop)).toBe(0);
    expect(await disputesOf(shop)).toMatchObject([{ status: "lost", amount_minor: 6_900 }]);
    expect(await orderOf(shop)).toMatchObject({ flags: ["disputed"], amount_refunded_minor: 3_000, amount_disputed_minor: 6_900 });
    const [shown] = await casesOf(shop);
    expect(shown).toMatchObject({ status: "open" });
    expect(shown?.detail).not.toHaveProperty("over_minor");
    expect((await auditsOf(shop)).map(({ action }) => action).slice(-2)).toEqual(["dispute.lost", "dispute.updated"]);
    for (let times = 0; times < 2; times += 1) {
      await shop.send(gateway.refundCallback(id));
      await report(shop, lost);
    }
    expect(await bookedOf(shop)).toEqual([-9_900, 9_900, -6_900]);
    await report(shop, { state: "won" });
    expect(await bookedOf(shop)).toEqual([-9_900, 9_900, -6_900, 6_900]);
    expect(await balanceOf(shop)).toBe(6_900);
  });

  test("and the case took nothing if the refund is all of it; the loss counts again if the refund fails", async () => {
    const { shop, id, lost } = await lostBefore(9_900);
    const [{ ended_at } = { ended_at: null }] = await disputesOf(shop);
    const ended = async (status: "won" | "lost", event: string) => {
      expect((await disputesOf(shop)).map(disputeView)).toMatchObject([{ status, amount_minor: 9_900, ended_at }]);
      expect((await eventsOf(shop))[0]).toBe(event);
      expect(await balanceOf(shop)).toBe(0);
    };
    await confirm(shop, id);
    await ended("won", "dispute.won");
    expect(await orderOf(shop)).toMatchObject({ flags: [], amount_refunded_minor: 9_900, amount_disputed_minor: 0 });
    expect(await casesOf(shop)).toMatchObject([{ status: "resolved" }]);
    await report(shop, lost);
    await ended("won", "dispute.won");
    await fail(shop, id);
    await ended("lost", "dispute.lost");
    expect(await orderOf(shop)).toMatchObject({ flags: ["disputed"], amount_refunded_minor: 0, amount_disputed_minor: 9_900 });
    expect((await casesOf(shop)).filter(({ status }) => status === "open")).toHaveLength(1);
  });

  test("also if the loss and the confirmation arrive at the same time", async () => {
    for (let times = 0; times < 8; times += 1) {
      const shop = await open();
      const lost = { state: "lost", amount: yuan(9_900), refundedSince: ctx.now() } as const;
      await report(shop, { state: "inquiry" });
      const id = await unconfirmed(shop, 3_000);
      await report(shop, { state: "opened" });
      await Promise.all([report(shop, lost), confirm(shop, id)]);
      expect(await balanceOf(shop)).toBe(0);
      expect(await disputesOf(shop)).toMatchObject([{ status: "lost", amount_minor: 6_900 }]);
      expect(await orderOf(shop)).toMatchObject({ amount_refunded_minor: 3_000, amount_disputed_minor: 6_900 });
    }
  });

  test("of only the case during which it was requested", async () => {
    const shop = await open();
    const first = { state: "lost", amount: yuan(3_000), refundedSince: ctx.now() } as const;
    await report(shop, { state: "inquiry" });
    const id = await unconfirmed(shop, 3_000);
    await report(shop, first);
    const second = { providerDisputeId: "dp_second", amount: yuan(6_900), refundedSince: ctx.now() } as const;
    await report(shop, { state: "lost", ...second });
    await confirm(shop, id);
    expect(await disputesOf(shop)).toMatchObject([
      { status: "lost", amount_minor: 6_900 },
      { status: "won", amount_minor: 3_000 },
    ]);
    expect(await balanceOf(shop)).toBe(0);
  });
});

test("a refund that was part of what the case returned, and that fails later, isn't part of it any more", async () => {
  const { shop, id } = await lostBefore(3_000);
  await confirm(shop, id);
  expect(await disputesOf(shop)).toMatchObject([{ amount_minor: 6_900 }]);
  await fail(shop, id);
  expect(await disputesOf(shop)).toMatchObject([{ status: "lost", amount_minor: 9_900 }]);
  expect(await orderOf(shop)).toMatchObject({ amount_refunded_minor: 0, amount_disputed_minor: 9_900 });
  expect(await bookedOf(shop)).toEqual([-9_900, 9_900, -6_900, 3_000, 6_900, -9_900]);
  expect(await balanceOf(shop)).toBe(0);
});

test("a refund that was requested before the case isn't part of what the case returned, however late it is confirmed", async () => {
  const shop = await open();
  const id = await unconfirmed(shop, 3_000);
  app.clock.advance(60_000);
  await report(shop, { state: "lost", amount: yuan(6_900), refundedSince: ctx.now() });
  await confirm(shop, id);
  expect(await disputesOf(shop)).toMatchObject([{ status: "lost", amount_minor: 6_900 }]);
  expect(await balanceOf(shop)).toBe(0);
});

test.each(["reported here", "stored by an earlier version"])("a case won on appeal stays won if a refund succeeds: %s", async (by) => {
  const { shop, id } = await lostBefore(3_000);
  const [lost] = await disputesOf(shop);
  await report(shop, { state: "won" });
  const keep = "update disputes set counted_minor = ?, counted_since = ?, counted_version = ? where project_id = ? and id = ?";
  const stale = [lost?.counted_minor, lost?.counted_since, lost?.counted_version, shop.tenant.project_id, lost?.id];
  if (by !== "reported here") await runStatement(ctx.db, keep, ...stale);
  await confirm(shop, id);
  expect(await disputesOf(shop)).toMatchObject([{ status: "won" }]);
  expect(await bookedOf(shop)).toEqual([-9_900, 9_900]);
  expect(await balanceOf(shop)).toBe(6_900);
});

test("a case that its refund had won, and that is won on appeal, stays won if the refund fails", async () => {
  const { shop, id } = await lostBefore(9_900);
  await confirm(shop, id);
  await report(shop, { state: "won" });
  await fail(shop, id);
  expect(await disputesOf(shop)).toMatchObject([{ status: "won" }]);
  expect(await balanceOf(shop)).toBe(9_900);
});
