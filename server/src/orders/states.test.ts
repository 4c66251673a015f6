import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { house } from "#test/house.ts";
import { createOrder } from "./order/create-order.ts";
import { canMove, type OrderStatus, orderMoves } from "./states.ts";

const { ctx, tenant, url } = await house();
const shop = await tenant();
const raw = new pg.Client(url);
await raw.connect();
afterAll(() => raw.end());

const statuses = Object.keys(orderMoves) as OrderStatus[];
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
    expect(await move(order.id, to), `${from} to ${to}`).toBe(canMove(from, to));
  }
});

test("nothing leaves paid or canceled", () => {
  expect([orderMoves.paid, orderMoves.canceled]).toEqual([[], []]);
});
