import { recordOfPerson } from "#audit/index.ts";
import { emitAll, retractEvents } from "#events/index.ts";
import {
  atNow,
  type Claim,
  type ClaimOutcome,
  type Ctx,
  claimOutcomes,
  createCollector,
  currencyExponent,
  databaseCode,
  isoOf,
  isUnavailable,
  perDatabase,
  pipeline,
  platformErrors,
  randomBase62,
  releaseClaim,
  type Tenant,
  type Tx,
  writeClaims,
} from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { orderEvent } from "../order-events.ts";
import { findReferenceHolder } from "../rows/orders.sql.ts";
import type { LinkRow, OrderBundle, OrderRow } from "../shapes.ts";
import { checkNewOrder, type OrderInput } from "./check-new-order.ts";
import { boundLockWait, insertOrders } from "./create.sql.ts";

interface Asked {
  /** Of the request that asks for it: a batch holds those of many callers. */
  ctx: Ctx;
  /** What is known before its batch is written: its times are the database's. */
  order: Omit<OrderRow, "expires_at" | "created_at" | "updated_at">;
  link: Omit<LinkRow, "created_at">;
  expirySeconds: number;
  claim: Claim | null;
}

interface Member extends Asked {
  order: OrderRow;
  link: LinkRow;
}

const defaultExpirySeconds = 86_400;
/** A batch waits little for a stranger's uncommitted key and is then taken apart; a member alone waits as long as a caller would. */
const batchWaitMs = 50;
const aloneWaitMs = 2000;
const intakeOf = perDatabase(() =>
  createCollector<Asked, OrderBundle>({
    max: 64,
    lanes: 2,
    supply: { usual: 2048, kept: 2048 },
    waitMs: 5_000,
    tenantOf: ({ order }) => order.project_id,
    namesOf: ({ order, claim }) => [
      `r ${order.project_id} ${order.livemode} ${order.reference}`,
      ...(claim === null ? [] : [`k ${order.project_id} ${order.livemode} ${claim.path} ${claim.key}`]),
    ],
    sortKey: ({ order, claim }) => `${order.project_id} ${order.livemode} ${claim?.key ?? ""} ${order.reference}`,
    isShared: isUnavailable,
    run: (asked) => (asked[0] as Asked).ctx.transactUnclaimed((tx) => writeOrders(tx, (asked[0] as Asked).ctx, asked)),
  }),
);

/**
 * Takes an order and makes its payment link. Concurrent calls share one transaction; each is answered after its commit.
 * Throws reference_exists with `existing_order_id`, and the field errors of `checkNewOrder`.
 */
export async function createOrder(ctx: Ctx, tenant: Tenant, input: OrderInput): Promise<OrderBundle> {
  const currency = checkNewOrder(tenant, input);
  try {
    return await intakeOf(ctx.db).add(askedOf(ctx, tenant, { ...input, currency }));
  } catch (error) {
    if (databaseCode(error) !== "55P03") throw error;
    // Not the key, which says so itself: a stranger's uncommitted order holds the reference.
    throw platformErrors.service_unavailable({ headers: { "retry-after": "1" }, cause: error });
  }
}

function askedOf(ctx: Ctx, tenant: Tenant, input: OrderInput): Asked {
  const id = ctx.id("ord");
  const { project_id, livemode } = tenant;
  const order: Asked["order"] = {
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
    description: input.description ?? null,
    metadata: input.metadata ?? {},
    customer: input.customer ?? {},
    return_url: input.return_url ?? null,
    locale: input.locale ?? "auto",
    failure_code: null,
    rejection: null,
    paid_at: null,
    failed_at: null,
    canceled_at: null,
    claimed_at: null,
  };
  const link: Asked["link"] = { project_id, livemode, id: ctx.id("lnk"), order_id: id, token: newLinkToken(livemode), revoked_at: null };
  return { ctx, order, link, expirySeconds: input.expires_in ?? defaultExpirySeconds, claim: ctx.claim };
}

function memberOf(asked: Asked, now: Date): Member {
  const times = { expires_at: new Date(now.getTime() + asked.expirySeconds * 1000), created_at: now, updated_at: now };
  return { ...asked, order: { ...asked.order, ...times }, link: { ...asked.link, created_at: now } };
}

/** Link tokens are random, not sortable, and secrets. */
export function newLinkToken(livemode: boolean): string {
  return `pl_${livemode ? "live" : "test"}_${randomBase62(32)}`;
}

/**
 * Claims first, then orders with links and their events, then what belongs to refused orders is taken back. Statements that need no answer of
 * each other are sent together: a batch waits for the database four times, however many orders it holds. The first answer tells the time, which is part
 * of what a key's next request is answered from.
 */
async function writeOrders(tx: Tx, ctx: Ctx, asked: Asked[]): Promise<(OrderBundle | Error)[]> {
  const waitMs = asked.length > 1 ? batchWaitMs : aloneWaitMs;
  const timed = await atNow(ctx, tx);
  const members = asked.map((one) => memberOf(one, timed.now()));
  const claimed = members.filter((member): member is Member & { claim: Claim } => member.claim !== null);
  const results = claimed.map((member) => ({ claim: member.claim, result: resultOf(member) }));
  const outcomes = claimed.length === 0 ? [] : await takeClaims(tx, { results, waitMs });
  const outcomeOf = new Map<Member, ClaimOutcome | undefined>(claimed.map((member, index) => [member, outcomes[index]]));
  const going = members.filter((member) => (outcomeOf.get(member)?.state ?? "new") === "new");
  const made = await insertWithEvents(tx, timed, { members: going, waitMs: claimed.length === 0 ? waitMs : null });
  for (const member of going) if (made.has(member.order.id)) await auditOrder(tx, member);
  const answers: (OrderBundle | Error)[] = [];
  for (const member of members) {
    const outcome = outcomeOf.get(member);
    if (outcome?.state === "refused") answers.push(outcome.error);
    else if (outcome?.state === "replay") answers.push(replayed(member, outcome.result));
    else if (made.has(member.order.id)) answers.push(bundle(member));
    else answers.push(await refuseReference(tx, member));
  }
  return answers;
}

function auditOrder(tx: Tx, { ctx, order }: Member): Promise<void> {
  const { reference, amount_minor, currency } = order;
  return recordOfPerson(tx, {
    ctx,
    tenant: order,
    action: "order.created",
    object_type: "order",
    object_id: order.id,
    detail: { reference, amount_minor, currency },
  });
}

async function takeClaims(tx: Tx, { results, waitMs }: { results: { claim: Claim; result: string }[]; waitMs: number }): Promise<ClaimOutcome[]> {
  const [, won] = await pipeline(tx, (pipe) => [boundLockWait(pipe, waitMs), writeClaims(pipe, results)]);
  return claimOutcomes(tx, results, won);
}

/** Answers the ids of the orders whose reference was free. `waitMs` is null where waits are bounded already. */
async function insertWithEvents(tx: Tx, ctx: Ctx, { members, waitMs }: { members: Member[]; waitMs: number | null }): Promise<Set<string>> {
  if (members.length === 0) return new Set();
  const events = members.map((member) => ({ ...orderEvent("order.created", member.order), tenant: member.order }));
  const [, made, emitted] = await pipeline(tx, (pipe) => [
    waitMs === null ? null : boundLockWait(pipe, waitMs),
    insertOrders(pipe, members),
    emitAll(pipe, ctx, events),
  ]);
  if (made.size < members.length)
    await retractEvents(
      tx,
      emitted.filter((_event, index) => !made.has((members[index] as Member).order.id)),
    );
  return made;
}

/** What a repeated request is answered from: the bundle, its instants written as texts. */
function resultOf({ order, link }: Member): string {
  const { expires_at, created_at, updated_at } = order;
  const written = { ...order, expires_at: isoOf(expires_at), created_at: isoOf(created_at), updated_at: isoOf(updated_at) };
  return JSON.stringify({ order: written, link: { ...link, created_at: isoOf(link.created_at) }, session: null });
}

function bundle(member: Member): OrderBundle {
  return { order: member.order, link: member.link, session: null };
}

function replayed(member: Member, result: unknown): OrderBundle {
  if (member.claim !== null) member.claim.replayed = true;
  return result as OrderBundle;
}

async function refuseReference(tx: Tx, member: Member): Promise<Error> {
  if (member.claim !== null) await releaseClaim(tx, member.claim);
  const existing = await findReferenceHolder(tx, member.order, member.order.reference);
  return orderErrors.reference_exists({ param: "reference", fields: { existing_order_id: existing } });
}
