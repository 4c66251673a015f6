import type { Channel, Statement, StatementFault } from "#collection/index.ts";
import type { RowOutcome } from "../match-receipt.ts";

/** The results of a statement's rows: all except `rows`, `created` and `known` add up to `rows`. */
export interface ImportCounts {
  rows: number;
  settled: number;
  linked: number;
  suggested: number;
  held: number;
  unmatched: number;
  skipped: number;
  ignored: number;
  faulty: number;
  /** New receipts. */
  created: number;
  /** Rows among `skipped` that were recorded before. */
  known: number;
}

/** Refunds that the merchant made for an order that is paid here: to be recorded as manual refunds. */
export interface RefundHint {
  line: number;
  order_id: string;
  receipt_id: string;
  amount_minor: number;
}

export interface ImportResult extends ImportCounts {
  channel: Channel;
  /** The number of rows that the file states. */
  declared_rows: number | null;
  faults: StatementFault[];
  refunds: RefundHint[];
}

/** Counts each row of a file once. `outcomes` are those of the statement's rows, in order. */
export function countRows(statement: Statement, given: { outcomes: readonly RowOutcome[]; created: number; known: number }): ImportCounts {
  const of = (outcome: RowOutcome) => given.outcomes.filter((one) => one === outcome).length;
  return {
    rows: statement.total,
    settled: of("settled"),
    linked: of("linked"),
    suggested: of("suggested"),
    held: of("held"),
    unmatched: of("unmatched"),
    skipped: of("skipped") + statement.skipped + statement.refunds.length,
    ignored: of("ignored"),
    faulty: statement.faults.length,
    created: given.created,
    known: given.known,
  };
}
