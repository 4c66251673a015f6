export { type NewTransfer, recordTransfer, recordTransfers } from "./record-transfers.ts";
export { type NewReversal, reverseTransfer } from "./reverse-transfer.ts";
export { rollBalances } from "./roll-balances.ts";
export type { AccountCode, TransactionStatus, TransactionType, TransferKind } from "./states.ts";
export type { Transaction } from "./transaction.ts";
