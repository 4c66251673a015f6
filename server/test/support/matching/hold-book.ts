import { amountRange } from "#collection/reservation/choose-amount.ts";
import type { AmountRequest, Remembered } from "./till.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const sessionMs = 30 * minuteMs;

/** How payments are requested, as a merchant set it up. */
export interface Rules {
  mode: AmountRequest["mode"];
  max_offset_minor: number;
  strict: boolean;
}

interface Row extends AmountRequest {
  order: string;
  from: Date;
  /** When the page stops showing it, and when the payment ended or will end. */
  expires: number;
  ends: number;
  /** The earliest and latest time until which its amount or code is reserved for the order. */
  until: number;
  latest: number;
}

/**
 * How long amounts and codes are held, computed by the contract's rules from what buyers do, and not from what the product remembers: a day
 * after the order's last payment there ended, an hour after it was paid, seven days while a report is undecided. A hold that has ended
 * never returns.
 */
export class HoldBook {
  readonly #rows = new Map<string, Row>();
  readonly #last = new Map<string, Row>();
  readonly #reported = new Set<string>();
  readonly #paid = new Set<string>();

  /** Records what an order's page requests; returns what of it breaks a promise. */
  record(order: string, request: AmountRequest, given: { now: Date; expires: Date; rules: Rules }): string[] {
    const now = given.now.getTime();
    const before = this.#last.get(order);
    const known = this.#rows.get(request.reservation);
    const faults = [
      ...this.#broken(order, { request, before, now }),
      ...(known === undefined ? this.#unfit(order, { request, now, rules: given.rules }) : []),
    ];
    const expires = Math.min(now + sessionMs, given.expires.getTime());
    const row = known ?? { ...request, order, from: given.now, expires, ends: expires, until: 0, latest: 0 };
    this.#rows.set(request.reservation, row);
    this.#last.set(order, row);
    if (this.#reported.has(order)) return faults;
    if (now >= row.expires) row.expires = expires;
    end(row, row.expires);
    return faults;
  }

  /** While a request is held for an order, the order gets the same one again, and retains its code for the rest. */
  #broken(order: string, { request, before, now }: { request: AmountRequest; before: Row | undefined; now: number }): string[] {
    if (before === undefined || before.until <= now || before.reservation === request.reservation) return [];
    if (before.nominal === request.nominal)
      return [`${order} is asked for ${request.amount} (${request.code}) while ${before.amount} (${before.code}) is held for it`];
    return before.code !== null && before.code !== request.code ? [`${order} lost its code ${before.code} by a part payment`] : [];
  }

  /** A new request doesn't conflict with others. */
  #unfit(order: string, { request, now, rules }: { request: AmountRequest; now: number; rules: Rules }): string[] {
    const others = [...this.#rows.values()].filter((row) => row.order !== order && row.until > now);
    if (request.code !== null && others.some((row) => row.code === request.code))
      return [`${order} is asked for ${request.code}, which another order's money bears`];
    if (request.mode === "unique_amount" && others.some((row) => row.amount === request.amount || row.nominal === request.amount))
      return [`${order} is asked for ${request.amount}, which another order is asked for or comes to`];
    return rules.strict && rules.mode === "unique_amount" && request.mode !== "unique_amount"
      ? [`${order} is asked for a code on a strict account`]
      : [];
  }

  /** An amount that was still free when the order got no unique one. */
  freeAmount(
    nominal: number,
    given: { now: Date; rules: Rules; remembered: readonly Remembered[]; besides: string | null },
  ): number | null {
    const { max_offset_minor } = given.rules;
    const range = amountRange({ nominal_minor: nominal, max_offset_minor, min_minor: null });
    if (range === null) return null;
    const taken = new Set<number>();
    const note = (row: AmountRequest) => taken.add(row.amount).add(row.nominal);
    for (const row of this.#rows.values()) if (row.latest > given.now.getTime() && row.reservation !== given.besides) note(row);
    for (const row of given.remembered) if (row.heldUntil > given.now && !this.#rows.has(row.reservation)) note(row);
    for (let amount = range.high; amount >= range.low; amount -= 1) if (!taken.has(amount)) return amount;
    return null;
  }

  /** Whether the page shows the order's request. */
  isOpen(order: string, now: Date): boolean {
    const row = this.#last.get(order);
    return row !== undefined && !this.#reported.has(order) && !this.#paid.has(order) && now.getTime() < row.ends;
  }

  /** The payment there ended before its time: another channel, a cancellation, a partial payment. */
  ended(order: string, now: Date): void {
    const row = this.#last.get(order);
    if (row !== undefined && this.isOpen(order, now)) end(row, now.getTime());
  }

  reported(order: string, now: Date): void {
    const row = this.#last.get(order);
    if (row === undefined) return;
    this.#reported.add(order);
    row.ends = now.getTime();
    row.until = row.latest = now.getTime() + 7 * dayMs;
  }

  withdrawn(order: string, now: Date): void {
    const row = this.#last.get(order);
    if (row === undefined || !this.#reported.delete(order)) return;
    // After the seven days it may be another order's: that hold has ended for good.
    if (row.until > now.getTime()) end(row, Math.max(row.expires, now.getTime()));
  }

  /** A hold that had ended by then remains ended: since then, others may have been given it, or have paid it as their own price. */
  paid(order: string, now: Date): void {
    if (this.#paid.has(order)) return;
    this.#paid.add(order);
    const free = now.getTime() + hourMs;
    for (const row of this.#rows.values()) {
      if (row.order !== order || row.latest <= now.getTime()) continue;
      row.until = Math.min(row.until, free);
      row.latest = free;
    }
  }

  /** The requests, and the earliest end of each order's hold on them. */
  rows(): Remembered[] {
    return [...this.#rows.values()].map((row) => ({ ...row, heldUntil: new Date(row.until) }));
  }

  /** Compares what the product remembers with this book. */
  compare(remembered: readonly Remembered[]): string[] {
    const known = new Map(remembered.map((row) => [row.reservation, row]));
    return [...this.#rows.values()].flatMap((row) => {
      const found = known.get(row.reservation);
      const what = `what ${row.order} was asked, ${row.amount} (${row.code}),`;
      if (found === undefined) return [`${what} is forgotten`];
      if (
        found.order !== row.order ||
        found.amount !== row.amount ||
        found.nominal !== row.nominal ||
        found.code !== row.code ||
        found.from > row.from
      )
        return [`${what} was overwritten`];
      const until = found.heldUntil.getTime();
      if (until >= row.until && until <= row.latest) return [];
      return [`${what} is held until ${found.heldUntil.toISOString()}, by the contract until ${new Date(row.until).toISOString()}`];
    });
  }
}

function end(row: Row, at: number): void {
  row.ends = at;
  row.until = row.latest = at + dayMs;
}
