import { auditIfPerson } from "#audit/index.ts";
import { emitAll, retractEvents } from "#events/index.ts";
import {
  type Ctx,
  createIntake,
  currencyExponent,
  type IntakeGroup,
  type IntakeItem,
  isoOf,
  pipeline,
  randomBase62,
  type Tenant,
  type Tx,
} from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { orderEvent } from "../order-events.ts";
import { findOrderRow, findReferenceHolder } from "../rows/orders.sql.ts";
import type { LinkRow, OrderBundle, OrderRow } from "../shapes.ts";
import { checkNewOrder, type OrderInput } from "./check-new-order.ts";
import { insertOrders } from "./create.sql.ts";

interface NewOrder extends IntakeItem<OrderBundle> {
  order: OrderRow;
  link: LinkRow;
  expirySeconds: number;
}

const defaultExpirySeconds = 86_400;

const takeOrder = createIntake<NewOrder>({
  supply: { usual: 2_048, reserved: 2_048 },
  namesOf: ({ order }) => [order.reference],
  time(item, now) {
    Object.assign(item.order, { expires_at: new Date(now.getTime() + item.expirySeconds * 1000), created_at: now, updated_at: now });
    item.link.created_at = now;
  },
  textOf,
  write: writeOrders,
  async isStored(tx, item) {
    const made = await insertOrders(tx, [item]);
    // By its id, not by its reference: it may have been canceled since.
    return !made.has(item.order.id) && (await findOrderRow(tx, item.order, item.order.id)) !== null;
  },
});

/**
 * Creates an order and its payment link. Concurrent calls share one transaction; each gets its response after its commit. Throws
 * reference_exists with `existing_order_id`, and the field errors of `checkNewOrder`.
 */
export async function createOrder(ctx: Ctx, tenant: Tenant, input: OrderInput): Promise<OrderBundle> {
  const currency = checkNewOrder(tenant, input);
  return takeOrder(newOrder(ctx, tenant, { ...input, currency }));
}

function newOrder(ctx: Ctx, tenant: Tenant, input: OrderInput): NewOrder {
  const id = ctx.id("ord");
  const now = ctx.now();
  const { project_id, livemode } = tenant;
  const order: OrderRow = {
    project_id,
    livemode,
    id,
    reference: input.reference ?? id,
    status: "unpaid",
    flags: [],
    version: 1,
    amount_minor: input.amount_minor,
    currency: input.currency,
    exponent: currencyExponent(input.currency),
    amount_received_minor: 0,
    amount_held_minor: 0,
    amount_refunded_minor: 0,
    amount_refunding_minor: 0,
    amount_disputed_minor: 0,
    description: input.description ?? null,
    metadata: input.metadata ?? {},
    customer: input.customer ?? {},
    return_url: input.return_url ?? null,
    locale: input.locale ?? "auto",
    failure_code: null,
    rejection: null,
    expires_at: now,
    paid_at: null,
    failed_at: null,
    canceled_at: null,
    claimed_at: null,
    created_at: now,
    updated_at: now,
  };
  const link = newLink(ctx, order);
  return {
    ctx,
    tenant,
    order,
    link,
    expirySeconds: input.expires_in ?? defaultExpirySeconds,
    answer: () => ({ order, link, session: null }),
  };
}

function newLink(ctx: Ctx, { project_id, livemode, id, created_at }: OrderRow): LinkRow {
  return { project_id, livemode, id: ctx.id("lnk"), order_id: id, token: newLinkToken(livemode), created_at, revoked_at: null };
}

/** Link tokens are random, not sortable, and secrets. */
export function newLinkToken(livemode: boolean): string {
  return `pl_${livemode ? "live" : "test"}_${randomBase62(32)}`;
}

/** Orders with links and their events are sent together; then the rows of refused orders are removed. */
async function writeOrders(tx: Tx, ctx: Ctx, { items }: IntakeGroup<NewOrder>): Promise<(Error | null)[]> {
  const events = items.map(({ order }) => ({ ...orderEvent("order.created", order), tenant: order }));
  const [made, emitted] = await pipeline(tx, (pipe) => [insertOrders(pipe, items), emitAll(pipe, ctx, events)]);
  const isRefused = (index: number) => !made.has((items[index] as NewOrder).order.id);
  if (made.size < items.length)
    await retractEvents(
      tx,
      emitted.filter((_event, index) => isRefused(index)),
    );
  const faults: (Error | null)[] = [];
  for (const [index, item] of items.entries()) {
    if (!isRefused(index)) await auditOrder(tx, item);
    faults.push(isRefused(index) ? await refuseReference(tx, item) : null);
  }
  return faults;
}

function auditOrder(tx: Tx, { ctx, order }: NewOrder): Promise<void> {
  const { reference, amount_minor, currency } = order;
  return auditIfPerson(tx, {
    ctx,
    tenant: order,
    action: "order.created",
    object_type: "order",
    object_id: order.id,
    detail: { reference, amount_minor, currency },
  });
}

/** The stored response of a repeated request: the bundle, with timestamps as texts. */
function textOf({ order, link }: NewOrder): string {
  const { expires_at, created_at, updated_at } = order;
  const written = { ...order, expires_at: isoOf(expires_at), created_at: isoOf(created_at), updated_at: isoOf(updated_at) };
  return JSON.stringify({ order: written, link: { ...link, created_at: isoOf(link.created_at) }, session: null });
}

async function refuseReference(tx: Tx, { order }: NewOrder): Promise<Error> {
  const existing = await findReferenceHolder(tx, order, order.reference);
  return orderErrors.reference_exists({ param: "reference", fields: { existing_order_id: existing } });
}
