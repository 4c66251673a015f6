import { setTimeout as pause } from "node:timers/promises";
import { auditLedger, exportTransactions, listWallets, type Transaction } from "#ledger/index.ts";
import {
  auditBooks,
  cancelOrder,
  createOrder,
  expireDue,
  issuePaymentLink,
  type OrderRow,
  reportPayment,
  simulatePayment,
  startPayment,
  submitVoucher,
} from "#orders/index.ts";
import type { Money } from "#orders/settle/decide.ts";
import { AppError, type Ctx, openDatabase, type Tenant } from "#platform/index.ts";
import { reviewOrder } from "#reconciliation/index.ts";
import { contextOn } from "#test/support/app/context.ts";
import { patience, type TestApp } from "#test/support/app/test-app.ts";
import { moneyFor, settleUntilTaken } from "#test/support/payments/settle-money.ts";
import { countOutcomes, type OrderOutcome } from "./race.sql.ts";

export interface RaceOptions {
  orders: number;
  /** The same seed plays the same race, except for the operating system's own timing. */
  seed: number;
  /** Orders whose actors run concurrently. */
  atOnce?: number;
}

export interface RaceReport {
  outcomes: OrderOutcome[];
  /** Errors that no caller should see, with the actor that met them. */
  faults: string[];
  /** Refusals by public code. */
  refused: Record<string, number>;
  settled: Record<string, number>;
  /** Distinct payments that were handed in, and their sum by currency. */
  pieces: number;
  sent: Record<string, number>;
  custody: Record<string, number>;
  /** The sum of all transactions as the API lists them. */
  listed: Record<string, number>;
  bookFaults: object[];
  ledgerFaults: object[];
}

interface Track {
  race: RaceReport;
  tenant: Tenant;
  ctxs: Ctx[];
  random(): number;
}

/**
 * Runs two payments, replays, expiry, cancellation and approval of each order concurrently, through two sets of connections as two
 * processes would have.
 */
export async function runRace(app: TestApp, tenant: Tenant, options: RaceOptions): Promise<RaceReport> {
  const others = [1, 2].map((name) => openDatabase({ url: app.url, max: 12, applicationName: `race-${name}`, ...patience }));
  const track: Track = {
    race: {
      outcomes: [],
      faults: [],
      refused: {},
      settled: {},
      pieces: 0,
      sent: {},
      custody: {},
      listed: {},
      bookFaults: [],
      ledgerFaults: [],
    },
    tenant,
    ctxs: others.map((database) => ({
      ...contextOn(database, { now: () => app.clock.now(), files: app.ctx.files }),
      actor: { kind: "person", id: "usr_race" },
    })),
    random: seeded(options.seed),
  };
  try {
    const atOnce = options.atOnce ?? 16;
    for (let left = options.orders; left > 0; left -= atOnce) {
      const ready = await Promise.all(Array.from({ length: Math.min(left, atOnce) }, () => lineUp(track)));
      await Promise.all(shuffled(track, ready.flat()).map((start) => start()));
    }
  } finally {
    await Promise.all(others.map((database) => database.close()));
  }
  track.race.outcomes = await countOutcomes(app.ctx.db, tenant);
  for (const { currency, balance_minor } of (await listWallets(app.ctx, tenant, { limit: 100 }))?.data ?? []) {
    track.race.custody[currency] = (track.race.custody[currency] ?? 0) + balance_minor;
  }
  for await (const lines of exportTransactions(app.ctx, tenant, { format: "jsonl" })) {
    for (const line of lines.trimEnd().split("\n")) {
      const { currency, net_minor } = JSON.parse(line) as Transaction;
      track.race.listed[currency] = (track.race.listed[currency] ?? 0) + net_minor;
    }
  }
  track.race.bookFaults = await auditBooks(app.ctx);
  track.race.ledgerFaults = (await auditLedger(app.ctx)).faults;
  return track.race;
}

/** Creates an order with a payment in progress and returns the actions on it, not yet started. */
async function lineUp(track: Track): Promise<(() => Promise<void>)[]> {
  const { tenant, random } = track;
  const ctx = anyCtx(track);
  const amount_minor = 100 + Math.floor(random() * 100_000);
  const { order } = await createOrder(ctx, tenant, { amount_minor, currency: "CNY", expires_in: random() < 0.6 ? 300 : 86_400 });
  const { session } = await startPayment(ctx, tenant, { order_id: order.id, gateway: random() < 0.5 ? "wechatpay" : "alipay" });
  const dice = random();
  if (dice < 0.5) await reportPayment(ctx, tenant, { order_id: order.id });
  else if (dice > 0.85) await simulatePayment(ctx, tenant, { order_id: order.id, outcome: "expire" });
  const money = moneyOf(track, order, { session_id: session.id, gateway: session.gateway });
  const second = secondMoney(track, order);
  const late = new Date(ctx.now().getTime() + 600_000);
  return [
    actionOf(track, "payment", (own) => pay(track, own, money)),
    actionOf(track, "replay", (own) => pay(track, own, money)),
    actionOf(track, "payment", (own) => pay(track, own, second)),
    actionOf(track, "expiry", (own) => expireDue({ ...own, now: () => late }, 3)),
    actionOf(track, "cancel", (own) => cancelOrder(own, tenant, { order_id: order.id })),
    actionOf(track, "approval", (own) => approve(track, own, order)),
    actionOf(track, "approval", (own) => approve(track, own, order)),
    ...(random() < 0.4 ? bystanders(track, order) : []),
  ];
}

/** What else may happen to an order at the same moment: each can take the place that another needs. */
function bystanders(track: Track, order: OrderRow): (() => Promise<void>)[] {
  const { tenant } = track;
  const order_id = order.id;
  const { reference, amount_minor } = order;
  return [
    actionOf(track, "report", (own) => reportPayment(own, tenant, { order_id, gateway: "alipay" })),
    actionOf(track, "proof", (own) => submitVoucher(own, tenant, { order_id, gateway: "wechatpay", transaction_reference: own.id("req") })),
    actionOf(track, "rejection", (own) => reviewOrder(own, tenant, { order_id, decision: "reject", reason_code: "not_received" })),
    actionOf(track, "another channel", (own) => startPayment(own, tenant, { order_id, gateway: "alipay" })),
    actionOf(track, "new link", (own) => issuePaymentLink(own, tenant, { order_id, expires_in: 3600 })),
    actionOf(track, "the same reference again", (own) => createOrder(own, tenant, { amount_minor, currency: "CNY", reference })),
  ];
}

function pay(track: Track, ctx: Ctx, money: Money): Promise<void> {
  const way = track.random() < 0.5 ? "alone" : "together";
  return settleUntilTaken(ctx, { tenant: track.tenant, money, way }).then(({ outcome, repeat }) => {
    const name = repeat ? "repeat" : outcome;
    track.race.settled[name] = (track.race.settled[name] ?? 0) + 1;
    if (!repeat) takeIn(track, money);
  });
}

async function approve(track: Track, ctx: Ctx, order: OrderRow): Promise<void> {
  // Without an amount, what is still owed would be booked, which only the database knows.
  await reviewOrder(ctx, track.tenant, { order_id: order.id, decision: "approve", received_amount_minor: order.amount_minor });
  takeIn(track, order);
}

function takeIn(track: Track, money: Pick<Money, "amount_minor" | "currency">): void {
  track.race.pieces += 1;
  track.race.sent[money.currency] = (track.race.sent[money.currency] ?? 0) + money.amount_minor;
}

function moneyOf(track: Track, order: OrderRow, change: Partial<Money>): Money {
  return moneyFor(anyCtx(track), order, change);
}

/**
 * The buyer's second transfer: the same amount again or, almost as often, less, which is only an underpayment if it wins the race;
 * sometimes more, or in another currency.
 */
function secondMoney(track: Track, order: OrderRow): Money {
  const dice = track.random();
  const gateway = dice < 0.5 ? "wechatpay" : "alipay";
  if (dice > 0.95) return moneyOf(track, order, { gateway, currency: "USD" });
  if (dice > 0.85) return moneyOf(track, order, { gateway, amount_minor: order.amount_minor + 7 });
  if (dice > 0.45) return moneyOf(track, order, { gateway, amount_minor: order.amount_minor - 7 });
  return moneyOf(track, order, { gateway });
}

function actionOf(track: Track, name: string, run: (ctx: Ctx) => Promise<unknown>): () => Promise<void> {
  const ctx = anyCtx(track);
  const delayMs = track.random() < 0.5 ? 0 : track.random() * 12;
  return async () => {
    if (delayMs > 0) await pause(delayMs);
    try {
      await run(ctx);
    } catch (error) {
      // Money must never be refused; every other late action gets a public code.
      if (error instanceof AppError && isTooLate(name, error)) {
        track.race.refused[error.code] = (track.race.refused[error.code] ?? 0) + 1;
      } else track.race.faults.push(`${name}: ${String(error)}`);
    }
  };
}

/** An approval needs confirmation once a part of the money arrived first: it would book more than is owed. */
function isTooLate(name: string, { status, code }: AppError): boolean {
  return (status === 409 && name !== "payment" && name !== "replay") || (name === "approval" && code === "parameter_missing");
}

function anyCtx(track: Track): Ctx {
  return track.ctxs[Math.floor(track.random() * track.ctxs.length)] as Ctx;
}

function shuffled<T>(track: Track, items: T[]): T[] {
  return items
    .map((item) => ({ item, key: track.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** Mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
