import { amountRange, chooseAmounts, type NearAmount } from "#collection/reservation/choose-amount.ts";
import { makeCode } from "#collection/reservation/read-codes.ts";
import { playReceipts, playSets } from "#reconciliation/receipt/match/play-receipts.ts";
import type { MatchData, MatchReceipt, Reservation, ReservedOrder } from "#reconciliation/receipt/match/world.ts";
import type { Rules } from "./hold-book.ts";
import type { AmountRequest, Remembered, TakenTransfer, Till, Transfer } from "./till.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const sessionMinutes = 30;

interface Row extends Reservation {
  holding: boolean;
}

interface Session {
  reservation: Row;
  ends: Date;
  /** False once the buyer chose another channel: it is opened again while its time lasts. */
  isOpen: boolean;
}

export interface TillRules extends Rules {
  random(): number;
}

/** The rules of matching in memory: who gets which request, and which order a receipt settles, by the functions that the product runs. */
export class PureTill implements Till {
  readonly #rules: TillRules;
  #time = new Date("2026-11-20T08:00:00.000Z").getTime();
  #made = 0;
  readonly #askings: Row[] = [];
  readonly #sessions = new Map<string, Session>();
  readonly #orders = new Map<string, ReservedOrder & { paid_at: number | null }>();
  readonly #world: MatchData;
  readonly #taken = new Map<string, string>();

  constructor(rules: TillRules) {
    this.#rules = rules;
    this.#world = { reservations: this.#askings, orders: this.#orders as Map<string, ReservedOrder>, pieces: [], receipts: [] };
  }

  now(): Date {
    return new Date(this.#time);
  }

  async pass(minutes: number): Promise<void> {
    this.#time += minutes * minuteMs;
    for (const [id, session] of this.#sessions) {
      if (session.ends.getTime() <= this.#time && this.#orders.get(id)?.status !== "pending_verify") this.#sessions.delete(id);
    }
    for (const order of this.#orders.values())
      if (order.status === "unpaid" && order.expires_at.getTime() <= this.#time) order.status = "expired";
  }

  async newOrder(project: 0 | 1, nominal: number, minutes: number): Promise<string> {
    const id = `ord_${++this.#made}`;
    const expires_at = new Date(this.#time + minutes * minuteMs);
    this.#orders.set(id, { id, project_id: `prj_${project}`, status: "unpaid", flags: [], expires_at, owed_minor: nominal, paid_at: null });
    return id;
  }

  async ask(order: string): Promise<AmountRequest | null> {
    const row = this.#orders.get(order);
    if (row === undefined || row.status !== "unpaid") return null;
    const open = this.#sessions.get(order);
    if (open?.isOpen === true) return requestOf(open.reservation);
    if (open !== undefined && open.reservation.nominal_minor === row.owed_minor) return this.#show(order, open);
    const ends = new Date(Math.min(this.#time + sessionMinutes * minuteMs, row.expires_at.getTime()));
    const holding = this.#askings.filter((one) => one.order_id === order && one.holding && one.held_until.getTime() > this.#time);
    const held = holding.find((one) => one.nominal_minor === row.owed_minor);
    const reservation =
      held ?? this.#newAsking(order, { nominal: row.owed_minor, hasCode: holding.find((one) => one.code !== null) ?? null });
    return reservation === null ? null : this.#show(order, { reservation, ends, isOpen: true });
  }

  #show(order: string, session: Session): AmountRequest {
    this.#sessions.set(order, { ...session, isOpen: true });
    session.reservation.asked_until = session.ends;
    session.reservation.held_until = new Date(session.ends.getTime() + dayMs);
    return requestOf(session.reservation);
  }

  async leave(order: string): Promise<void> {
    const session = this.#sessions.get(order);
    if (this.#orders.get(order)?.status !== "unpaid" || session?.isOpen !== true) return;
    this.#end(order);
    this.#sessions.set(order, { ...session, isOpen: false });
  }

  async report(order: string): Promise<void> {
    const row = this.#orders.get(order);
    const session = this.#sessions.get(order);
    if (row?.status !== "unpaid" || session?.isOpen !== true) return;
    row.status = "pending_verify";
    session.reservation.asked_until = this.now();
    session.reservation.held_until = new Date(this.#time + 7 * dayMs);
  }

  async withdraw(order: string): Promise<void> {
    const row = this.#orders.get(order);
    const session = this.#sessions.get(order);
    if (row?.status !== "pending_verify" || session === undefined || row.expires_at.getTime() <= this.#time) return;
    row.status = "unpaid";
    if (session.ends.getTime() > this.#time) this.#show(order, session);
    else this.#end(order);
  }

  async cancel(order: string): Promise<void> {
    const row = this.#orders.get(order);
    if (row?.status !== "unpaid") return;
    row.status = "canceled";
    this.#end(order);
  }

  async approve(order: string): Promise<void> {
    const row = this.#orders.get(order);
    const reservation = this.#askings.findLast((one) => one.order_id === order);
    if (row === undefined || reservation === undefined || row.status === "paid" || row.status === "canceled") return;
    const piece = {
      project_id: row.project_id,
      external_id: `manual:${order}`,
      external_key: `manual:${order}`,
      order_id: order,
      session_id: null,
    };
    const amount_minor = reservation.nominal_minor === row.owed_minor ? reservation.amount_minor : row.owed_minor;
    this.#world.pieces.push({ ...piece, amount_minor, occurred_at: this.now(), sources: [], set_id: null, reversed_orders: [] });
    row.status = "paid";
    this.#settled();
    playSets(this.#world, amount_minor);
  }

  async part(order: string, minor: number): Promise<void> {
    const row = this.#orders.get(order);
    if (row?.status !== "unpaid" || minor >= row.owed_minor) return;
    row.owed_minor -= minor;
    this.#end(order);
  }

  async owes(order: string): Promise<number> {
    return this.#orders.get(order)?.owed_minor ?? 0;
  }

  async status(order: string): Promise<string> {
    return this.#orders.get(order)?.status ?? "missing";
  }

  async remembered(): Promise<Remembered[]> {
    return this.#askings.map((row) => ({ ...requestOf(row), order: row.order_id, from: row.asked_from, heldUntil: row.held_until }));
  }

  async take(_project: 0 | 1, source: "statement" | "listener", transfers: Transfer[]): Promise<TakenTransfer[]> {
    const added: MatchReceipt[] = [];
    for (const transfer of transfers) {
      const key = `${source} ${transfer.id}`;
      if (this.#taken.has(key)) continue;
      this.#taken.set(key, transfer.id);
      added.push(seenOf(transfer, source));
    }
    this.#world.receipts.push(...added);
    const played = playReceipts(this.#world, added);
    this.#settled();
    return added.map((receipt) => {
      const one = played.get(receipt.id);
      const verdict = one?.verdict;
      const order =
        verdict?.kind === "book" || verdict?.kind === "mismatch"
          ? verdict.reservation.order_id
          : verdict?.kind === "link"
            ? verdict.piece.order_id
            : null;
      return {
        id: this.#taken.get(`${source} ${receipt.id.slice(source.length + 1)}`) ?? receipt.id,
        outcome: one?.outcome ?? "unmatched",
        order,
      };
    });
  }

  /** Orders that were just paid free their holds an hour from now. */
  #settled(): void {
    for (const [id, order] of this.#orders) {
      const seen = this.#world.orders.get(id);
      if (seen?.status !== "paid" || order.paid_at !== null) continue;
      Object.assign(seen, { paid_at: this.#time });
      this.#sessions.delete(id);
      for (const reservation of this.#askings) {
        if (reservation.order_id === id)
          reservation.held_until = new Date(Math.min(reservation.held_until.getTime(), this.#time + 60 * minuteMs));
      }
    }
  }

  #end(order: string): void {
    const session = this.#sessions.get(order);
    this.#sessions.delete(order);
    // A hold that has ended remains ended.
    if (session?.isOpen !== true || session.reservation.held_until.getTime() <= this.#time) return;
    session.reservation.asked_until = this.now();
    session.reservation.held_until = new Date(this.#time + dayMs);
  }

  #newAsking(order: string, { nominal, hasCode }: { nominal: number; hasCode: Row | null }): Row | null {
    const { mode, strict } = this.#rules;
    if (hasCode !== null) hasCode.holding = false;
    const amount = mode === "unique_amount" && hasCode === null ? this.#freeAmount(nominal) : null;
    if (strict && mode === "unique_amount" && hasCode === null && amount === null) return null;
    const code = hasCode?.code ?? (mode === "remark" || (mode === "unique_amount" && amount === null) ? this.#freeCode() : null);
    const row: Row = {
      id: `ask_${++this.#made}`,
      project_id: this.#orders.get(order)?.project_id ?? "",
      order_id: order,
      mode: code !== null ? "remark" : mode === "exact" ? "exact" : "unique_amount",
      amount_minor: amount ?? nominal,
      nominal_minor: nominal,
      code,
      asked_from: this.now(),
      asked_until: this.now(),
      held_until: this.now(),
      holding: true,
    };
    this.#askings.push(row);
    return row;
  }

  #freeAmount(nominal: number): number | null {
    const wanted = { nominal_minor: nominal, max_offset_minor: this.#rules.max_offset_minor, min_minor: null };
    const range = amountRange(wanted);
    if (range === null) return null;
    const near = new Map<number, NearAmount>();
    const note = (amount: number, row: Row, isNominal: boolean) => {
      if (amount < range.low || amount > range.high) return;
      const one = near.get(amount) ?? { amount, taken_until: new Date(0), asked_until: null, nominal_until: null };
      near.set(amount, {
        amount,
        taken_until: later(one.taken_until, row.held_until),
        asked_until: isNominal ? one.asked_until : later(one.asked_until, row.asked_until),
        nominal_until: isNominal ? later(one.nominal_until, row.asked_until) : one.nominal_until,
      });
    };
    for (const row of this.#askings) {
      note(row.amount_minor, row, false);
      note(row.nominal_minor, row, true);
    }
    const [amount] = chooseAmounts(wanted, [...near.values()], this.now());
    if (amount === undefined) return null;
    for (const row of this.#askings) if (row.mode === "unique_amount" && row.amount_minor === amount) row.holding = false;
    return amount;
  }

  #freeCode(): string {
    for (;;) {
      const code = makeCode(5, (below) => Math.floor(this.#rules.random() * below));
      const holder = this.#askings.find((row) => row.code === code && row.holding);
      if (holder !== undefined && holder.held_until.getTime() > this.#time) continue;
      if (holder !== undefined) holder.holding = false;
      return code;
    }
  }
}

function later(one: Date | null, other: Date): Date {
  return one === null || other > one ? other : one;
}

function requestOf(row: Reservation): AmountRequest {
  return { reservation: row.id, mode: row.mode, amount: row.amount_minor, nominal: row.nominal_minor, code: row.code };
}

function seenOf(transfer: Transfer, source: "statement" | "listener"): MatchReceipt {
  return {
    id: `${source} ${transfer.id}`,
    source,
    amount_minor: transfer.amount,
    occurred_at: transfer.at,
    remark: transfer.note,
    payer_hint: null,
    kind: null,
    state: "final",
    status: "unmatched",
    external_key: source === "statement" ? transfer.id.toLowerCase() : null,
    exception_id: null,
    twin_id: null,
    set_id: null,
    booked_external_id: null,
    decided_by: null,
  };
}
