/** What is known about one amount on an account: until when it is or was requested, as a payable amount or as an order's own amount. */
export interface NearAmount {
  amount: number;
  /** Until when an order holds it, or has it as its own amount while its payment can still arrive. */
  taken_until: Date;
  /** When it was last requested; null if it never was. */
  asked_until: Date | null;
  /** When it last was an order's own amount; null if it never was. */
  nominal_until: Date | null;
}

export interface AmountWanted {
  nominal_minor: number;
  max_offset_minor: number;
  /** The channel's minimum. */
  min_minor: number | null;
}

const dayMs = 86_400_000;
const nominalDays = 30;

/**
 * The amounts that may be requested instead of the nominal one: lower by at least one, and by at most 5 % and `max_offset_minor`. null if
 * there are none.
 */
export function amountRange(wanted: AmountWanted): { low: number; high: number } | null {
  const { nominal_minor: nominal, max_offset_minor, min_minor } = wanted;
  const offset = Math.min(max_offset_minor, Math.max(1, Math.floor(nominal / 20)));
  const low = Math.max(1, min_minor ?? 1, nominal - offset);
  const high = nominal - 1;
  return low > high ? null : { low, high };
}

/**
 * Amounts in the order in which they are tried. The nominal amount is never among them, because careless buyers enter it. Amounts that
 * another order currently holds or owes are excluded. Amounts that weren't requested for a day come first, then those that were no order's
 * own amount for 30 days, then the smallest reduction.
 */
export function chooseAmounts(wanted: AmountWanted, near: readonly NearAmount[], now: Date): number[] {
  const range = amountRange(wanted);
  if (range === null) return [];
  const known = new Map(near.map((one) => [one.amount, one]));
  const ranked: { amount: number; rank: [number, number, number] }[] = [];
  for (let amount = range.high; amount >= range.low; amount -= 1) {
    const one = known.get(amount);
    if (one !== undefined && one.taken_until > now) continue;
    const reservedUntil = one?.asked_until ?? null;
    const isUnused = reservedUntil === null || now.getTime() - reservedUntil.getTime() >= dayMs;
    const nominal = one?.nominal_until ?? null;
    const isNominal = nominal !== null && now.getTime() - nominal.getTime() < nominalDays * dayMs;
    ranked.push({
      amount,
      rank: [isUnused ? 0 : 1, isNominal ? 1 : 0, isUnused ? wanted.nominal_minor - amount : (reservedUntil?.getTime() ?? 0)],
    });
  }
  ranked.sort((one, other) => one.rank[0] - other.rank[0] || one.rank[1] - other.rank[1] || one.rank[2] - other.rank[2]);
  return ranked.map(({ amount }) => amount);
}
