import type { AskingRow, ReceiptRow, ReceiptSource } from "#collection/index.ts";
import type { OrderRow } from "../../shapes.ts";

/** What was asked of an order, and when it marks a transfer as this order's. */
export type Asked = Pick<
  AskingRow,
  "id" | "project_id" | "order_id" | "mode" | "amount_minor" | "nominal_minor" | "code" | "asked_from" | "asked_until" | "held_until"
>;

/** A receipt as far as it matters to who paid. */
export type Seen = Pick<
  ReceiptRow,
  | "id"
  | "source"
  | "amount_minor"
  | "occurred_at"
  | "remark"
  | "payer_hint"
  | "kind"
  | "state"
  | "status"
  | "external_key"
  | "exception_id"
  | "twin_id"
  | "set_id"
  | "booked_external_id"
  | "decided_by"
>;

export type AskedOrder = Pick<OrderRow, "id" | "project_id" | "status" | "flags" | "expires_at"> & {
  /** Its amount without the part payments that are held for it. */
  owed_minor: number;
};

/** A piece of money in the books: what paid an order, or what is held for one. */
export interface Piece {
  project_id: string;
  external_id: string;
  external_key: string | null;
  order_id: string | null;
  session_id: string | null;
  amount_minor: number;
  occurred_at: Date;
  /** Sources whose receipt of this piece is known. */
  sources: ReceiptSource[];
  set_id: string | null;
}

/** All that is known of an account around some receipts. Nothing here writes, so that a preview and a deed decide alike. */
export interface World {
  askings: Asked[];
  orders: Map<string, AskedOrder>;
  pieces: Piece[];
  receipts: Seen[];
  /** More was asked than is looked at; nothing is then decided by itself. */
  isCut?: boolean;
}

/** Whether a receipt waits and may be decided by itself: nobody has said what it is, and no case is open about it. */
export function isUndecided(receipt: Pick<Seen, "status" | "exception_id" | "decided_by">): boolean {
  return receipt.status === "unmatched" && receipt.exception_id === null && receipt.decided_by === null;
}

/** The sources that tell of a receipt's money: its own, and those of the receipts that were taken for the same transfer. */
export function sourcesOf(receipt: Pick<Seen, "id" | "source">, receipts: readonly Seen[]): ReceiptSource[] {
  return [receipt.source, ...receipts.filter((other) => other.twin_id === receipt.id).map((other) => other.source)];
}

/** Whether a piece has no receipt yet of any of these sources: one source tells of a transfer once. */
export function isFree(piece: Piece, sources: readonly ReceiptSource[]): boolean {
  return !piece.sources.some((source) => sources.includes(source));
}

/** A phone's notification and the wallet's own record of one transfer are this close together. */
export const twinMs = 5 * 60_000;

/** Clocks of buyers, wallets and servers differ by this much. */
const leadMs = 5 * 60_000;

/** True when money that moved at `at` can be an answer to what was asked. */
export function wasAsked(asking: Asked, at: Date): boolean {
  const time = at.getTime();
  return time >= asking.asked_from.getTime() - leadMs && time < asking.held_until.getTime();
}

/** The span in which askings matter to a receipt, for what is fetched. */
export function spanOf(times: readonly Date[]): { from: Date; to: Date } {
  const all = times.map((time) => time.getTime());
  return { from: new Date(Math.min(...all)), to: new Date(Math.max(...all) + leadMs) };
}
