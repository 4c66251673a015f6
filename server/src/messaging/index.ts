export { type Add, checkCallback, checkLabels, type MessageError, type Tag, type Why } from "./accept/check-labels.ts";
export { faultsError } from "./accept/faults-error.ts";
export { clearBatchDetails } from "./batch/clear-batch-details.ts";
export { batchItemsMax, type Checked, type CreatedBatch, createBatch } from "./batch/create-batch.ts";
export { type FoundBatch, findBatch } from "./batch/find-batch.ts";
export { listBatches } from "./batch/list-batches.ts";
export { type BatchFault, type BatchRow, insertBatch } from "./batch/sql.ts";
export { parameterFaults, sameNameFaults, splitUrls } from "./carriers/carrier-urls.ts";
export {
  type CarrierAnswer,
  type CarrierRefusal,
  type CarrierRequest,
  type CarrierWebhook,
  carrierAddress,
} from "./carriers/carrier-webhook.ts";
export type { Channel, ChannelTask, SendingChannel } from "./channel.ts";
export { messagingErrors } from "./errors.ts";
export { listMessageEvents } from "./history/list-message-events.ts";
export { historyOf, messageEvent, type Place } from "./history/message-event.ts";
export { listChannels } from "./list-channels.ts";
export { followUpAt, playFollowUps } from "./play-follow-ups.ts";
export { deleteOldUsage } from "./quota/delete-old-usage.ts";
export { listUsage, type Usage } from "./quota/list-usage.ts";
export { takeQuota } from "./quota/take-quota.ts";
export { isCancelable, isReschedulable, readNewTime, requireVersion } from "./schedule/may-change.ts";
export { postpone } from "./schedule/postpone.ts";
export { expiryFrom, readTimes } from "./schedule/times.ts";
export { claimName } from "./sending/claim-name.ts";
export { type Claiming, createSender, type Ended, type Sender, type SenderTimes } from "./sending/create-sender.ts";
export { type Limited, limitConcurrency } from "./sending/limit-concurrency.ts";
export { chooseNext, type Page, type Partition, type Rounds, type Scan } from "./sending/rounds.ts";
export type { Attempt, Claimed } from "./sending/send-pool.ts";
export { type QueueState, queueStates } from "./states.ts";
export { addSuppression } from "./suppression/add-suppression.ts";
export { createSuppression, type SuppressionInput } from "./suppression/create-suppression.ts";
export { deleteExpiredSuppressions, deleteSuppression } from "./suppression/delete-suppression.ts";
export { barsSending, findBarred, findSuppressed, isAnySuppressed } from "./suppression/find-suppressed.ts";
export { findSuppression, listSuppressions, type SuppressionName } from "./suppression/find-suppression.ts";
export { foldSuppressions } from "./suppression/fold-suppressions.ts";
export { removeSuppression } from "./suppression/remove-suppression.ts";
export type { SuppressionRow } from "./suppression/sql.ts";
export { findSending, type Sending } from "./suspension/find-sending.ts";
export { requireSending } from "./suspension/require-sending.ts";
export { completeNumber, readingsOf } from "./telephone/complete-number.ts";
export { isCountry } from "./telephone/is-country.ts";
export { rankByWeight } from "./telephone/rank-by-weight.ts";
export { type Destination, type Reach, reachesNumber, readReach } from "./telephone/reach.ts";
export { readRecipient, readTelephone, type Telephone, type TelephoneFault } from "./telephone/read-telephone.ts";
export { telephoneAddresses } from "./telephone-channels.ts";
export { limitOf, readTierLimits, type TierLimits } from "./tier-limits.ts";
export { isTier, type PerTier, type SendingTier, type Tier, tiers } from "./tiers.ts";
export { createTransportBoard, type TransportBoard, type TransportNotes } from "./transports/create-transport-board.ts";
export { type ChannelTransports, listTransports } from "./transports/list-transports.ts";
export { reportTransportsTask } from "./transports/report-transports.ts";
