import type { Channel } from "../channels.ts";

/**
 * What a row is to a merchant: money received; received and given back since, in whole or part; not (yet) received; money given back to a
 * payer; or nothing of these.
 */
export type Standing = "received" | "refunded" | "unfinished" | "refund" | "other";

export type Cells = Readonly<Record<string, string>>;

/** One kind of statement: which columns tell it, and what they mean. Column names have half-width brackets and no blanks. Of several columns the first that is filled counts. */
export interface Layout {
  channel: Channel;
  name: string;
  known: readonly string[];
  number: readonly string[];
  amounts: readonly string[];
  times: readonly string[];
  payer: readonly string[];
  remark: readonly string[];
  /** What the wallet calls the kind of transfer: a red packet, a code's payment. */
  kind: readonly string[];
  /** Columns that hold strangers' texts, where a comma may stand unquoted. */
  texts: readonly string[];
  /** Columns that hold one of a few words. */
  words: Readonly<Record<string, readonly string[]>>;
  standing(cells: Cells): Standing;
  /** Of money given back: the transfer that it came with. */
  returns(cells: Cells): string | null;
  /** Of a row given back in part: how much. */
  refunded?(cells: Cells): string;
}
