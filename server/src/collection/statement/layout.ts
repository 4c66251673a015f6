import type { Channel } from "../channels.ts";

/**
 * What a row means for a merchant: money received; received and since refunded, in whole or part; not (yet) received; money refunded to a
 * payer; or none of these.
 */
export type RowStatus = "received" | "refunded" | "unfinished" | "refund" | "other";

export type Cells = Readonly<Record<string, string>>;

/**
 * One kind of statement: the columns that identify it, and their meaning. Column names have half-width brackets and no blanks. Of several
 * columns the first non-empty one counts.
 */
export interface Layout {
  channel: Channel;
  name: string;
  known: readonly string[];
  number: readonly string[];
  amounts: readonly string[];
  times: readonly string[];
  payer: readonly string[];
  remark: readonly string[];
  /** The wallet's word for the kind of transfer: a red packet, a code's payment. */
  kind: readonly string[];
  /** Columns with strangers' texts, which may contain unquoted commas. */
  texts: readonly string[];
  /** Columns with one of a few words. */
  words: Readonly<Record<string, readonly string[]>>;
  statusOf(cells: Cells): RowStatus;
  /** For a refund: the transfer that was refunded. */
  returns(cells: Cells): string | null;
  /** For a partly refunded row: how much. */
  refunded?(cells: Cells): string;
}
