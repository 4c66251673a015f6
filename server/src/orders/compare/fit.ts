import type { Account, NamedPayment, NamedRefund } from "./sql.ts";

/** An account with the gateway that it is of. */
export type Compared = Account & { gateway: string };

/** Lines of a list with what they may name. */
export interface Known {
  payments: NamedPayment[];
  refunds: NamedRefund[];
}

/** What a line came to: of ours and right, of ours and not right, or another program's. */
export type Fit = { kind: "fits"; payment?: string; refund?: string } | { kind: "differs"; payment?: string } | { kind: "other" };
