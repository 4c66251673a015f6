import { setTimeout as pause } from "node:timers/promises";
import { externalKey } from "#collection/index.ts";
import {
  type Claim,
  type Ctx,
  createCollector,
  findNow,
  finishClaims,
  holdClaims,
  isCommitUnknown,
  isHeldUp,
  isUnavailable,
  isWaitLimitReached,
  perDatabase,
  pipeline,
  platformErrors,
  releaseClaims,
  type Tenant,
  type Tx,
  updateLockWait,
} from "#platform/index.ts";
import { lockPartsOfOrders } from "../rows/exceptions.sql.ts";
import { lockFreeGatewayPayments } from "../rows/gateway-payments.sql.ts";
import { listBundles, lockFreeOrders } from "../rows/orders.sql.ts";
import { listSessionsOfOrders } from "../rows/sessions.sql.ts";
import { type ExceptionRow, type GatewayPaymentRow, isPersonal, type OrderBundle, type OrderRow, type SessionRow } from "../shapes.ts";
import type { Arrival, Settled } from "./arrival.ts";
import type { Money } from "./decide.ts";
import { settleMany } from "./settle.ts";

/** A payment that waits to be settled together with others. */
export interface Waiting<T> {
  ctx: Ctx;
  tenant: Tenant;
  order_id: string | null;
  /** The known number of the money; null if `come` gives it a new unique one. */
  number: Pick<Money, "gateway" | "external_id"> | null;
  /** The session of the payment at a provider: that payment is locked with the order. */
  payment?: string;
  /** The received money, once its order is locked. An error refuses only this one; null has it settled individually. */
  come(found: Found): Coming | Error | null;
  /** Whether the response needs the order's later state, with its link and session. */
  isShown: boolean;
  /** The response, which is stored with the request's Idempotency-Key. */
  answer(settled: Settled, shown: OrderBundle | null): T;
  /**
   * Settles it in its own transaction, because its order was locked. `isUnsure`: the response to the group's COMMIT was lost, so the number
   * or the Idempotency-Key has to be looked for first, under the order's lock.
   */
  alone(isUnsure: boolean): Promise<T>;
}

/** The rows that a payment affects, under its order's lock. */
export interface Found {
  /** At the time of the database. */
  ctx: Ctx;
  order: OrderRow | null;
  /** Newest first. */
  sessions: SessionRow[];
  held: ExceptionRow[];
  payment: GatewayPaymentRow | null;
}

export interface Coming {
  money: Money;
  session: SessionRow | null;
  /** `session` is still to be written. */
  isNewSession: boolean;
  followUp?: FollowUp<unknown>;
}

/** Additional writes once the money is settled: for all members of a group with the same `write`, at once. */
export interface FollowUp<Note> {
  note: Note;
  write(tx: Tx, all: readonly { note: Note; settled: Settled }[]): Promise<unknown>;
}

/** Maximum wait of a group for a row that another transaction inserts: an idempotency key, a number or a wallet. */
const timeoutMs = 50;
const left = Symbol("left the group");

/** How long to try to find out the outcome of a COMMIT. */
const lookUpMs = 3_000;

const collectorOf = perDatabase(() =>
  createCollector<Waiting<unknown>, unknown>({
    max: 64,
    concurrency: 2,
    supply: { usual: 2_048, reserved: 2_048 },
    waitMs: 5_000,
    tenantOf: ({ tenant }) => tenant.project_id,
    namesOf,
    isShared: (error) => isUnavailable(error) || isCommitUnknown(error),
    isHeldUp,
    run: (members) => (members[0] as Waiting<unknown>).ctx.transactUnclaimed((tx) => settleGroup(tx, members)),
  }),
);

/**
 * Settles a payment together with other waiting ones, and responds after the commit. An order, a number and an Idempotency-Key are at most
 * once in a group. A member that would have to wait for another transaction leaves the group and is settled individually. A COMMIT whose
 * response is lost is looked up before any response.
 */
export async function settleTogether<T>(waiting: Waiting<T>): Promise<T> {
  const { claim, db } = waiting.ctx;
  try {
    const answer = await collectorOf(db)
      .add(waiting as Waiting<unknown>)
      .catch((error: unknown) => {
        if (isHeldUp(error)) return left;
        throw error;
      });
    if (answer === left) return await waiting.alone(false);
    if (claim !== null) claim.used = true;
    return answer as T;
  } catch (error) {
    if (!isCommitUnknown(error)) throw error;
    return settleUnsure(waiting, error);
  }
}

/** Settles it again to find out: a payment that is already booked returns its result. */
async function settleUnsure<T>(waiting: Waiting<T>, cause: unknown): Promise<T> {
  const { claim } = waiting.ctx;
  const isReplay = claim?.replayed ?? false;
  for (const end = performance.now() + lookUpMs; ; await pause(100)) {
    try {
      const answer = await waiting.alone(true);
      if (claim !== null) claim.replayed = isReplay;
      return answer;
    } catch (error) {
      // What holds its key or its order may be the transaction that is being looked for.
      if (!isUnavailable(error) && !isCommitUnknown(error) && !isHeldUp(error)) throw error;
      if (isWaitLimitReached() || performance.now() > end)
        throw platformErrors.service_unavailable({ headers: { "retry-after": "1" }, cause });
    }
  }
}

function namesOf({ ctx, tenant, order_id, number }: Waiting<unknown>): string[] {
  const names = order_id === null ? [] : [`order ${tenant.project_id} ${tenant.livemode} ${order_id}`];
  // Numbers of personal channels are unique across projects, so the project isn't part of the name.
  if (number !== null)
    names.push(
      `number ${tenant.livemode} ${number.gateway} ${isPersonal(number.gateway) ? externalKey(number.external_id) : number.external_id}`,
    );
  const { claim } = ctx;
  if (claim !== null) names.push(`key ${claim.project_id} ${claim.livemode} ${claim.method} ${claim.path} ${claim.key}`);
  return names;
}

type Member = Waiting<unknown>;
type Claimed = Member & { ctx: { claim: Claim } };

interface Group {
  members: readonly Member[];
  /** A result, an error, or `left`. */
  answers: Map<Member, unknown>;
  /** The Idempotency-Key that this transaction has claimed. */
  holders: Claimed[];
}

async function settleGroup(tx: Tx, members: readonly Member[]): Promise<unknown[]> {
  const group: Group = { members, answers: new Map(), holders: [] };
  const orders = await lockGroup(tx, group);
  const met = await meetAll(tx, group, orders);
  const settled = await settleMany(
    tx,
    met.map(({ arrival }) => arrival),
  );
  await writeFollowUps(tx, met, settled);
  await answerSettled(tx, { group, members: met.map(({ member }) => member), settled });
  await endClaims(tx, group);
  return members.map((member) => group.answers.get(member));
}

/** Takes the members' keys and locks their orders, always in the same order, without waiting for one that is busy. */
async function lockGroup(tx: Tx, { members, answers, holders }: Group): Promise<Map<string, OrderRow>> {
  const claimed = members.filter(hasClaim);
  const keys = members.flatMap(({ tenant, order_id }) => (order_id === null ? [] : [{ ...tenant, id: order_id }]));
  if (claimed.length > 0) await updateLockWait(tx, timeoutMs);
  const outcomes = await holdClaims(
    tx,
    claimed.map(({ ctx }) => ctx.claim),
  );
  for (const [index, member] of claimed.entries()) {
    const outcome = outcomes[index];
    if (outcome?.state === "new") holders.push(member);
    if (outcome?.state === "refused") answers.set(member, outcome.error);
    if (outcome?.state === "replay") {
      member.ctx.claim.replayed = true;
      answers.set(member, outcome.result);
    }
  }
  const [, locked] = await pipeline(tx, (pipe) => [
    claimed.length > 0 ? null : updateLockWait(pipe, timeoutMs),
    lockFreeOrders(pipe, keys),
  ]);
  const orders = new Map(locked.map((order) => [nameOf(order, order.id), order]));
  const isBusy = ({ tenant, order_id }: Member) => order_id !== null && !orders.has(nameOf(tenant, order_id));
  for (const member of members) if (!answers.has(member) && isBusy(member)) answers.set(member, left);
  return orders;
}

function hasClaim(member: Member): member is Claimed {
  return member.ctx.claim !== null;
}

/** A member's money, with the rows that it affects. */
interface Met {
  member: Member;
  arrival: Arrival;
  followUp: FollowUp<unknown> | null;
}

/** Calls each member for its received money. Everything is read after the orders' locks. */
async function meetAll(tx: Tx, group: Group, orders: ReadonlyMap<string, OrderRow>): Promise<Met[]> {
  const keys = [...orders.values()];
  const going = group.members.filter((one) => !group.answers.has(one));
  const paid = going.flatMap(({ tenant, payment }) => (payment === undefined ? [] : [{ ...tenant, id: payment }]));
  const [sessions, held, payments, now] = await pipeline(tx, (pipe) => [
    listSessionsOfOrders(pipe, keys),
    lockPartsOfOrders(pipe, keys),
    lockFreeGatewayPayments(pipe, paid),
    findNow(pipe),
  ]);
  const [sessionsOf, heldOf] = [Map.groupBy(sessions, ofOrder), Map.groupBy(held, ofOrder)];
  const paymentOf = new Map(payments.map((payment) => [nameOf(payment, payment.payment_session_id), payment]));
  const met: Met[] = [];
  for (const member of going) {
    const { tenant, order_id } = member;
    const key = nameOf(tenant, order_id);
    const found = {
      ctx: { ...member.ctx, now: () => now },
      order: orders.get(key) ?? null,
      sessions: sessionsOf.get(key) ?? [],
      held: heldOf.get(key) ?? [],
      payment: paymentOf.get(nameOf(tenant, member.payment ?? null)) ?? null,
    };
    const coming = member.come(found);
    if (coming === null || coming instanceof Error) {
      group.answers.set(member, coming ?? left);
      continue;
    }
    const { money, session, isNewSession, followUp = null } = coming;
    met.push({ member, arrival: { ...found, tenant, money, session, isNewSession, from: null }, followUp });
  }
  return met;
}

async function writeFollowUps(tx: Tx, met: readonly Met[], settled: readonly (Settled | Error)[]): Promise<void> {
  const all = met.flatMap(({ followUp }, index) => {
    const result = settled[index] as Settled | Error;
    return followUp === null || result instanceof Error ? [] : [{ ...followUp, settled: result }];
  });
  for (const [write, ones] of Map.groupBy(all, ({ write }) => write)) await write(tx, ones);
}

async function answerSettled(
  tx: Tx,
  given: { group: Group; members: readonly Member[]; settled: readonly (Settled | Error)[] },
): Promise<void> {
  const { group, members, settled } = given;
  const shown = members.flatMap(({ isShown, tenant, order_id }) => (isShown && order_id !== null ? [{ ...tenant, id: order_id }] : []));
  const bundles = shown.length === 0 ? [] : await listBundles(tx, shown);
  const bundleOf = new Map(bundles.map((bundle) => [nameOf(bundle.order, bundle.order.id), bundle]));
  for (const [index, member] of members.entries()) {
    const result = settled[index] as Settled | Error;
    const bundle = bundleOf.get(nameOf(member.tenant, member.order_id)) ?? null;
    group.answers.set(member, result instanceof Error ? result : member.answer(result, bundle));
  }
}

/** Writes the result of each key's request; the key of a refused member, or one that left the group, can be used again. */
async function endClaims(tx: Tx, { answers, holders }: Group): Promise<void> {
  const isDone = (member: Member) => !(answers.get(member) instanceof Error) && answers.get(member) !== left;
  const [done, freed] = [holders.filter(isDone), holders.filter((member) => !isDone(member))];
  await pipeline(tx, (pipe) => [
    finishClaims(
      pipe,
      done.map((member) => ({ claim: member.ctx.claim, result: JSON.stringify(answers.get(member) ?? null) })),
    ),
    releaseClaims(
      pipe,
      freed.map(({ ctx }) => ctx.claim),
    ),
  ]);
}

function nameOf(tenant: Tenant, orderId: string | null): string {
  return `${tenant.project_id} ${tenant.livemode} ${orderId}`;
}

function ofOrder(row: Tenant & { order_id: string | null }): string {
  return nameOf(row, row.order_id);
}
