export { type Channel, channels, isChannel } from "./channels.ts";
export { collectionErrors } from "./errors.ts";
export { personalCodeNotice } from "./personal-code-notice.ts";
export { type AmountWanted, allocateAmount } from "./profile/allocate-amount.ts";
export { type ProfileInput, putProfile } from "./profile/put-profile.ts";
export { findProfile, listProfiles, lockChannel, type MatchingMode, type ProfileRow } from "./profile/sql.ts";
export { insertReceipt, type NewReceipt } from "./receipt/insert-receipt.ts";
export { listReceipts } from "./receipt/list-receipts.ts";
export { listTwins } from "./receipt/list-twins.ts";
export {
  countReceipts,
  listUnmatched,
  lockWaiting,
  lockWaitingAround,
  type ReceiptFilters,
  type ReceiptRow,
  type ReceiptSource,
  type ReceiptStatus,
  updateReceipt,
} from "./receipt/sql.ts";
export { parseStatement, type Statement, type StatementFault, type StatementRow } from "./statement/parse-statement.ts";
