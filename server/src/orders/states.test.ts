import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { movesInCode } from "#test/support/payments/code-moves.ts";
import { createOrder } from "./order/create-order.ts";
import { updateSession } from "./rows/sessions.sql.ts";
import { type OrderStatus, orderStates, sessionStates } from "./states.ts";

const { ctx, tenant, url } = await testApp();
const shop = await tenant();
const raw = new pg.Client(url);
await raw.connect();
afterAll(() => raw.end());

const statuses = orderStates.all;
const paths: Record<OrderStatus, OrderStatus[]> = {
  unpaid: [],
  pending_verify: ["pending_verify"],
  paid: ["paid"],
  failed: ["failed"],
  expired: ["expired"],
  canceled: ["canceled"],
};

const move = (id: string, to: OrderStatus) =>
  raw.query("update orders set status = $1::text, paid_at = case when $1::text = 'paid' then now() end where id = $2", [to, id]).then(
    () => true,
    () => false,
  );

test.each(statuses)("the database allows from %s exactly the moves of the table", async (from) => {
  for (const to of statuses.filter((status) => status !== from)) {
    const { order } = await createOrder(ctx, shop, { amount_minor: 100, currency: "CNY" });
    for (const step of paths[from]) expect(await move(order.id, step)).toBe(true);
    expect(await move(order.id, to), `${from} to ${to}`).toBe(orderStates.allows(from, to));
  }
});

test("nothing leaves paid or canceled", () => {
  expect(orderStates.moves.filter((one) => /^(paid|canceled)>/.test(one))).toEqual([]);
});

/** Part of the contract, and not used yet: only a gateway that refuses permanently fails an unreported order. */
const notYet = ["unpaid>failed"];

test("the code moves orders exactly as the table says", () => {
  const [alone, planned] = [movesInCode("updateOrder"), movesInCode("movingOrder")];
  expect([...alone.unread, ...planned.unread]).toEqual([]);
  expect([...new Set([...alone.moves, ...planned.moves]), ...notYet].sort()).toEqual([...orderStates.moves].sort());
});

test("the code moves payment sessions exactly as their table says", () => {
  const read = [
    ...["updateSession", "movingSession", "closingSessions"].map((name) => movesInCode(name)),
    movesInCode("updateOpenSessions", ["pending", "processing", "pending_verify"]),
  ];
  expect(read.flatMap(({ unread }) => unread)).toEqual([]);
  expect([...new Set(read.flatMap(({ moves }) => [...moves]))].sort()).toEqual([...sessionStates.moves].sort());
});

test("a move that isn't in any table is refused before a statement is sent", async () => {
  const unknownSession = { ...shop, id: "ps_none" };
  const refused = ctx.transact((tx) => updateSession(tx, unknownSession, { from: ["pending", "succeeded"], to: "failed" }));
  await expect(refused).rejects.toThrow("no payment session moves from succeeded to failed");
});
