export { createDomain } from "./domain/create-domain.ts";
export { deleteDomain, findDomain, listDomains } from "./domain/find-domain.ts";
export { findPlatformDomain, keepPlatformDomain } from "./domain/keep-platform-domain.ts";
export type { DomainDns } from "./domain/look-up.ts";
export { type Mailbox, readMailbox } from "./domain/read-mailbox.ts";
export type { DomainRecord, RecordPurpose } from "./domain/records.ts";
export type { DomainQuery, DomainRow, DomainStatus } from "./domain/sql.ts";
export { recheckDomains, verifyDomain } from "./domain/verify-domain.ts";
export { misshapenEmail } from "./email/accept/check-sound-fields.ts";
export { createEmail } from "./email/accept/create-email.ts";
export { type BatchInput, type CreatedBatch, createEmailBatch } from "./email/accept/create-email-batch.ts";
export { listUsage, type Usage } from "./email/accept/list-usage.ts";
export type { BatchFault, BatchRow } from "./email/accept/sql.ts";
export type { Stage } from "./email/bounce/answer-rules.ts";
export { type Answer, classifyAnswer, readEnhanced, type Verdict } from "./email/bounce/classify-answer.ts";
export type { Letter } from "./email/bounce/read-report.ts";
export { readReturnPath } from "./email/bounce/return-path.ts";
export { type TakenReport, takeReport } from "./email/bounce/take-report.ts";
export { cancelEmail } from "./email/change/cancel-email.ts";
export { expireUnclaimed } from "./email/change/expire-unclaimed.ts";
export { forgetBodies } from "./email/change/forget-bodies.ts";
export { forgetBatchDetails, forgetUsage } from "./email/change/forget-counts.ts";
export { type Engagement, recordClick, recordOpen } from "./email/change/record-engagement.ts";
export { releaseScheduled } from "./email/change/release-scheduled.ts";
export { rescheduleEmail } from "./email/change/reschedule-email.ts";
export { sweepMailFiles } from "./email/files/sweep-mail-files.ts";
export { type FoundBatch, findBatch } from "./email/read/find-batch.ts";
export { findEmail, findEmailCopy } from "./email/read/find-email.ts";
export { findEmailSource } from "./email/read/find-email-source.ts";
export { findSending, type Sending } from "./email/read/find-sending.ts";
export { listBatches } from "./email/read/list-batches.ts";
export { listEmailAttempts } from "./email/read/list-email-attempts.ts";
export { listEmailEvents } from "./email/read/list-email-events.ts";
export { listEmails } from "./email/read/list-emails.ts";
export type { AttemptRow, BatchFilters, EmailFilters } from "./email/read/sql.ts";
export { emailQueue } from "./email/sending/claim.sql.ts";
export { createEmailSender, type EmailSender, type SenderOptions } from "./email/sending/create-email-sender.ts";
export { reviveEmails } from "./email/sending/revive-emails.ts";
export type {
  Addresses,
  AttachmentInput,
  EmailBody,
  EmailBundle,
  EmailInput,
  EmailRow,
  FoundEmail,
  MessagingTier,
  RecipientRow,
  StoredAttachment,
  Tag,
} from "./email/shapes.ts";
export { attemptResults } from "./email/shapes.ts";
export { playSequels } from "./email/simulator/play-sequels.ts";
export { createSimulator } from "./email/simulator/simulator.ts";
export type { BounceKind, EmailTransport, Parcel, SendOutcome } from "./email/transport.ts";
export { messagingErrors } from "./errors.ts";
export { type InboundInput, type SimulatedInbound, simulateInbound } from "./inbound/simulate-inbound.ts";
export { isLinkHost, servesLinks } from "./link-host.ts";
export { type EmailStatus, emailStatuses } from "./states.ts";
export type { Added, NewSuppression } from "./suppression/add-suppression.ts";
export { createSuppression, type SuppressionInput } from "./suppression/create-suppression.ts";
export { deleteSuppression, forgetSuppressions } from "./suppression/delete-suppression.ts";
export { findSuppressed } from "./suppression/find-suppressed.ts";
export { findSuppression, listSuppressions, type SuppressionName } from "./suppression/find-suppression.ts";
export { foldSuppressions } from "./suppression/fold-suppressions.ts";
export type { Channel, SuppressionReason } from "./suppression/reasons.ts";
export type { SuppressionQuery, SuppressionRow } from "./suppression/sql.ts";
export { judgeMachine, type TrackedCall } from "./tracking/judge-machine.ts";
export { clickPath, openPath, readTrackToken, type Tracked, type TrackToken } from "./tracking/track-token.ts";
export { unsubscribe } from "./unsubscribe/unsubscribe.ts";
export { readUnsubscribeToken, type UnsubscribeToken, unsubscribePath } from "./unsubscribe/unsubscribe-token.ts";
