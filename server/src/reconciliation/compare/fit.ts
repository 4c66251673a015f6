import type { Account, NamedPayment, NamedRefund } from "./sql.ts";

/** An account with its gateway. `attempts`: how often the same day's list was read, including this time. */
export type Compared = Account & { gateway: string; attempts: number };

/** Lines of a list with the rows that they may refer to. */
export interface Known {
  payments: NamedPayment[];
  refunds: NamedRefund[];
}

/** The result for a line: ours and correct, ours and different, or another program's. */
export type Fit =
  | { kind: "fits"; payment?: string; refund?: string }
  | { kind: "differs"; payment?: string; refund?: string }
  | { kind: "other" };
