export { findAccount, lockAccount } from "./account/find-account.ts";
export type { Account } from "./account/sql.ts";
export { type Channel, channels, isChannel, methodOfChannel, type PersonalCode, personalMethodOf, personalMethods } from "./channels.ts";
export { codeKinds, identifyCode } from "./code/identify-code.ts";
export { collectionErrors } from "./errors.ts";
export { externalKey, refuseOddNumber } from "./external-key.ts";
export { personalCodeNotice } from "./personal-code-notice.ts";
export { listProfiles } from "./profile/list-profiles.ts";
export { type ProfileInput, putProfile } from "./profile/put-profile.ts";
export { findProfile, type IgnoreRule, type ProfileRow } from "./profile/sql.ts";
export { updateReceiptFacts } from "./receipt/facts.sql.ts";
export { insertReceipt, type NewReceipt, newReceipt } from "./receipt/insert-receipt.ts";
export { listReceipts } from "./receipt/list-receipts.ts";
export type { ReceiptRow, ReceiptSource } from "./receipt/receipt-row.ts";
export {
  findReceipt,
  findReceiptOfKey,
  listOfSet,
  listReceiptIds,
  listReceiptsOfNumbers,
  listSeenReceipts,
  listUnmatched,
  lockDuplicates,
  lockReceipt,
  updateReceipt,
  updateReceiptStates,
} from "./receipt/sql.ts";
export { laterState, type ReceiptState, type ReceiptStatus } from "./receipt/states.ts";
export { listCrowdedPrices } from "./reservation/crowded-prices.ts";
export { readCodes } from "./reservation/read-codes.ts";
export { reserveAmount } from "./reservation/reserve-amount.ts";
export { listReservations, listReservationsOfOrder, type ReservationRow } from "./reservation/sql.ts";
export { parseStatement, type Statement, type StatementFault, type StatementRow } from "./statement/parse-statement.ts";
