export type { BreakerKey, BreakerTable } from "./breaker/breaker.sql.ts";
export { noteFailures, recentAttempts } from "./breaker/note-failures.ts";
export { canonicalAddress } from "./canonical-address.ts";
export { cardFaults, maskCardNumbers, refuseCardMetadata, refuseCardNumbers } from "./card-numbers.ts";
export type { Actor, Claim, Ctx, FileStore, Tenant } from "./context.ts";
export { createEgress } from "./create-egress.ts";
export { csvHead, csvText } from "./csv-text.ts";
export { atNow } from "./database/at-now.ts";
export {
  beginSnapshot,
  type CopyOptions,
  type CopyProgress,
  copyTables,
  digestTables,
  type TableDigest,
} from "./database/copy/copy-tables.ts";
export { type CopySession, openCopySession } from "./database/copy/session.ts";
export { type CopyTable, listCopyTables } from "./database/copy/sql.ts";
export { type BaseBackup, openBaseBackup, type WalPlace } from "./database/copy-server.ts";
export {
  type Database,
  databaseCode,
  isCommitUnknown,
  isTlsFault,
  isUnavailable,
  isUniqueViolation,
  narrow,
  openDatabase,
} from "./database/database.ts";
export { createWaitLimit, isWaitLimitReached, type WaitLimit } from "./database/driver/wait-limit.ts";
export { hint, onHint } from "./database/hints.ts";
export { formatLsn, parseLsn, segmentBytes, segmentName } from "./database/lsn.ts";
export { changeCatalogue } from "./database/migrate/change-catalogue.ts";
export { listPending } from "./database/migrate/list-pending.ts";
export { migrate } from "./database/migrate/migrate.ts";
export { readMigrations } from "./database/migrate/read-migrations.ts";
export { openSession } from "./database/migrate/session.ts";
export { type Applied, listApplied } from "./database/migrate/sql.ts";
export { findNow } from "./database/now.sql.ts";
export { updatePlanning } from "./database/planning.sql.ts";
export { createProcessClock, type ProcessClock } from "./database/process-clock.ts";
export { cutPage, findCursor, type Page, type PageQuery, readPage } from "./database/read-page.sql.ts";
export { defineStates } from "./database/states.ts";
export { isStorable, storable } from "./database/storable.ts";
export { updateUnhurried, updateUnhurriedPart } from "./database/unhurried.sql.ts";
export { dropWalStream, openWalStream, type WalStream } from "./database/wal-stream.ts";
export { addressPolicy } from "./egress/address-policy.ts";
export { isAddressRange } from "./egress/address-range.ts";
export { egressFetch } from "./egress/egress-fetch.ts";
export type { AnswerHead, Exchange } from "./egress/exchange.ts";
export { isLoopbackAddress, isLoopbackUrl, isPublicHost } from "./egress/loopback.ts";
export {
  AppError,
  defineErrors,
  detailsOf,
  type ErrorDetail,
  type ErrorExtras,
  type ErrorTable,
  gatherFaults,
  platformErrors,
  type ReasonValues,
  typeOf,
} from "./errors.ts";
export { finishClaims, holdClaims, releaseClaims } from "./idempotency/hold-claims.ts";
export {
  canonicalJson,
  deleteExpiredKeys,
  findReplay,
  fingerprintOf,
  readIdempotencyKey,
} from "./idempotency/idempotency.ts";
export { inSteps } from "./idempotency/in-steps.ts";
export { updateLockWait } from "./idempotency/lock-wait.sql.ts";
export { withClaim } from "./idempotency/with-claim.ts";
export { base62Alphabet, type IdPrefix, idPattern, newId, randomBase62 } from "./ids.ts";
export { isoOf, localTimes, noSuchTimeZone, readTimeZone, zoneOfCurrency } from "./instants.ts";
export { createCollector } from "./intake/collector.ts";
export { gatherLists, gatherReads, gatherReadsOf } from "./intake/gather-reads.ts";
export { createIntake, isHeldUp } from "./intake/intake.ts";
export type { IntakeGroup, IntakeItem } from "./intake/intake-rules.ts";
export { perDatabase } from "./intake/per-database.ts";
export { chooseLanguage } from "./languages/choose-language.ts";
export { counted } from "./languages/counted.ts";
export {
  defineWords,
  firstLanguage,
  type Language,
  type LanguageInfo,
  languageInfo,
  languageOf,
  languages,
} from "./languages/languages.ts";
export { currencyExponent, decimalOf, maxAmountMinor, minorOf, readCurrency, shareOf } from "./money/money.ts";
export { addressInName, holdsAddress, refuseAddressesIn } from "./names.ts";
export { normalForm } from "./normal-form.ts";
export { type ClaimedNotice, claimNotices, noticeLeaseMs, reviveNotices } from "./notices/claim-notices.ts";
export { deleteFinishedNotices, finishNotices, retryNotices, returnNotices } from "./notices/finish-notices.ts";
export { notice } from "./notices/notice.ts";
export { notifySetAside } from "./notices/notify-set-aside.ts";
export { reviveJobs } from "./notices/revive-jobs.ts";
export { noticeQueue, noticeSecrets } from "./notices/sql.ts";
export { ownMerchantId, ownProject } from "./own-project.ts";
export { type Alone, createAlone } from "./queue/alone.ts";
export { isOwnFault } from "./queue/is-own-fault.ts";
export {
  type Claim as LeaseClaim,
  claimable,
  goesAlone,
  leased,
  lockExpired,
  updateExtended,
  updateLeased,
  updateRequeued,
} from "./queue/lease.sql.ts";
export { createLeaseNames, type LeaseNames } from "./queue/lease-names.ts";
export { beginPass, countPutOff, type SweepPass } from "./queue/put-off.ts";
export type { QueueTable } from "./queue/queue-table.ts";
export { listSetAsideJobs, releaseJobs, type SetAsideJob } from "./queue/set-aside.ts";
export { sweepQueue } from "./queue/sweep-queue.ts";
export { sweepDue, sweepRows } from "./queue/sweep-rows.ts";
export { amongWanted, type WantedRows } from "./queue/wanted.sql.ts";
export { createWorkPool, type Pooled, type WorkPool } from "./queue/work-pool.ts";
export { type Portion, type Wanted, workPortion } from "./queue/work-portion.ts";
export { writeEach } from "./queue/write-each.ts";
export { createFairShares, type FairShares, type Supply } from "./rate-limits/fair-shares.ts";
export { createInFlight, type InFlight } from "./rate-limits/in-flight.ts";
export { createMemoryLimits, type LimitBucket, type LimitRule, type LimitStore, type Taken } from "./rate-limits/limits.ts";
export { openPostgresLimits } from "./rate-limits/postgres-store.ts";
export { openRedisLimits } from "./rate-limits/redis-store.ts";
export { createSharedLimits, type SharedStore } from "./rate-limits/shared-limits.ts";
export { readBase64 } from "./read-base64.ts";
export { resealColumn } from "./sealed/reseal-column.ts";
export { type Exposed, type SealedColumn, sealedColumn } from "./sealed/sealed-column.ts";
export { requireSigned, signedQuery } from "./sealed/signed-address.ts";
export { countSealed, findSealedBy } from "./sealed/sql.ts";
export {
  derivedKeyName,
  derivedNumbers,
  deriveKey,
  equalSecret,
  isTrusted,
  type KeyPurpose,
  keyPurposes,
  type MasterKeys,
  macOf,
  open,
  purposeKeys,
  readMasterKeys,
  type SealPlace,
  seal,
  trustedNumbers,
} from "./secrets.ts";
export { after, commitWith, type Db, known, type Pipe, pipeline, type Sent, type Sql, type Tx, trySavepoint } from "./sql.ts";
export { createThread, JobOverLimit } from "./thread/create-thread.ts";
export {
  type AnyText,
  asBuffer,
  bytesIn,
  charactersIn,
  type LongText,
  longTextMin,
  longTextOf,
  readJson,
  readText,
  stringOf,
  wholeBuffersOf,
} from "./thread/long-text.ts";
export { threadEnvironment } from "./thread/thread-environment.ts";
