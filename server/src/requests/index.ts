export { createAuthPipeline } from "./auth-pipeline/authenticate.ts";
export { bindClaim, bindContext, bindContextAlone, bindUpload, sayReplayed } from "./auth-pipeline/bind-claim.ts";
export { createHostCheck } from "./auth-pipeline/check-host.ts";
export { limitedAddress } from "./auth-pipeline/client-address.ts";
export { createUnroutedCount } from "./auth-pipeline/count-unrouted.ts";
export { writeLimitHeaders } from "./auth-pipeline/limit-headers.ts";
export { measureLimits } from "./auth-pipeline/limit-metrics.ts";
export { countAddress, countPeer, leave } from "./auth-pipeline/limit-request.ts";
export { checkOrigin } from "./auth-pipeline/people/check-origin.ts";
export { findOptionalVisitor, sessionTokenOf } from "./auth-pipeline/people/find-visitor.ts";
export { building, everyRole, leading, looking } from "./auth-pipeline/people/roles.ts";
export { visitorOf } from "./auth-pipeline/people/visitor-of.ts";
export { type Asked, askedOf, isRecentlyConfirmed, personScopes, refusalOf, refuseNewOwner } from "./auth-pipeline/refusal-of.ts";
export { requireDeclarations } from "./auth-pipeline/require-declarations.ts";
export { requireScope } from "./auth-pipeline/require-scope.ts";
export { createAnswerRoom, type TakeRoom } from "./bodies/hold-answer.ts";
export { takeContents } from "./bodies/parse-apart.ts";
export { largeBytesMax, readLargeBodies } from "./bodies/read-bodies.ts";
export { requestErrors } from "./errors.ts";
export { readIfMatch } from "./if-match.ts";
export {
  bound,
  cursorOf,
  filtersOf,
  type ListFilters,
  type ListInput,
  listOf,
  listQuery,
  listUrl,
  many,
  pageErrors,
  readList,
  showList,
  showUnpaged,
} from "./lists.ts";
export { pathOf } from "./path-of.ts";
export { refuseUnknownQueries } from "./refuse-unknown-queries.ts";
export { createMetrics, isMetricsReader } from "./request-metrics.ts";
export { allowOrigin, answerPreflights } from "./responses/allow-origins.ts";
export { commonErrors, type ErrorEntry, listErrors } from "./responses/error-catalogue.ts";
export { createEventStreams, type EventStreams } from "./responses/event-streams.ts";
export { limitWaits } from "./responses/limit-waits.ts";
export { lingerOverBodies } from "./responses/linger.ts";
export { linkSuccessor } from "./responses/link-successor.ts";
export { answerMissingRoutes, refuseMissingRoute } from "./responses/missing-routes.ts";
export { errorBody, replyWithErrors, sendError } from "./responses/reply-with-errors.ts";
export { createSerializerCompiler } from "./responses/serialize.ts";
export { collectRoutes, type RouteEntry } from "./route-table.ts";
export { type App, type BackupHealth, defaultHttpSettings, type HttpRuntime, type HttpSettings, type LinkLimit } from "./runtime.ts";
export { continueUpload } from "./slow-uploads.ts";
export { exportZone, readZone, zoneOfRequest } from "./time-zone.ts";
export { acceptUploads, checkFields, filledFields, isUpload, readBodyWithoutFile, readUpload } from "./uploads.ts";
export { createAjv, createValidatorCompiler } from "./validation/compile.ts";
export { faultsOf, isValidationFault, type ValidationFault } from "./validation/faults.ts";
export { readJsonBodies } from "./validation/parse-json.ts";
