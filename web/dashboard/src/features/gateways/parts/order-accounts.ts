import type { Account } from "./account.ts";

type Placed = Pick<Account, "id" | "position" | "weight">;

/** An account's new place. */
export interface Move {
  id: string;
  position: number;
}

/** Accounts that share payments, without demo accounts. */
export function ownOf<A extends Pick<Account, "demo">>(accounts: readonly A[]): A[] {
  return accounts.filter(({ demo }) => !demo);
}

/** Accounts by place, first choice first. Those in one place share its payments by weight. */
export function placesOf<A extends Placed>(accounts: readonly A[]): A[][] {
  const places = Map.groupBy(accounts, ({ position }) => position);
  return [...places].sort(([left], [right]) => left - right).map(([, inside]) => inside);
}

/** The changes that move an account one place earlier or later, where it is alone. None if it already is at that end. */
export function moved(accounts: readonly Placed[], id: string, step: -1 | 1): Move[] {
  const places = placesOf(accounts);
  const at = places.findIndex((inside) => inside.some((one) => one.id === id));
  const shares = (places[at]?.length ?? 0) > 1;
  const account = places[at]?.find((one) => one.id === id);
  if (account === undefined || (!shares && places[at + step] === undefined)) return [];
  const others = places.map((inside) => inside.filter((one) => one.id !== id));
  // From a shared place it moves next to that place; otherwise past the next one.
  const to = shares ? (step < 0 ? at : at + 1) : step < 0 ? at - 1 : at + 2;
  return changesOf([...others.slice(0, to), [account], ...others.slice(to)]);
}

/** The changes that make an account share the place of another. */
export function joined(accounts: readonly Placed[], id: string, withId: string): Move[] {
  const account = accounts.find((one) => one.id === id);
  if (account === undefined || id === withId) return [];
  const others = placesOf(accounts.filter((one) => one.id !== id));
  return changesOf(others.map((inside) => (inside.some((one) => one.id === withId) ? [...inside, account] : inside)));
}

/** Positions are renumbered from 1; only accounts whose number changes are sent. */
function changesOf(places: readonly Placed[][]): Move[] {
  return places
    .filter((inside) => inside.length > 0)
    .flatMap((inside, index) => inside.flatMap(({ id, position }) => (position === index + 1 ? [] : [{ id, position: index + 1 }])));
}

/** An account's share of its place's payments, in percent; null if it has the place to itself. */
export function shareOf(accounts: readonly Placed[], id: string): number | null {
  const inside = placesOf(accounts).find((place) => place.some((one) => one.id === id)) ?? [];
  if (inside.length < 2) return null;
  const sum = inside.reduce((total, { weight }) => total + weight, 0);
  const own = inside.find((one) => one.id === id)?.weight ?? 0;
  return sum === 0 ? Math.round(100 / inside.length) : Math.round((own / sum) * 100);
}
