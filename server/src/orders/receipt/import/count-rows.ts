import type { Channel, Statement, StatementFault } from "#collection/index.ts";
import type { RowOutcome } from "../match-receipt.ts";

/** What became of a statement's rows: all but `rows`, `created` and `known` sum to `rows`. */
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
  /** Receipts that are new. */
  created: number;
  /** Rows among `skipped` that were taken in before. */
  known: number;
}

/** Money that the merchant gave back for an order that is paid here: a refund to write down by hand. */
export interface RefundHint {
  line: number;
  order_id: string;
  receipt_id: string;
  amount_minor: number;
}

export interface ImportResult extends ImportCounts {
  channel: Channel;
  /** How many rows the file says that it has. */
  declared_rows: number | null;
  faults: StatementFault[];
  refunds: RefundHint[];
}

/** Counts each row of a file once. `outcomes` are those of the statement's rows, in their order. */
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
