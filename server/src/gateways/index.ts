export { changeCredential } from "./account/change-credential.ts";
export { createCredential } from "./account/create-credential.ts";
export { createDemo, provideDemo } from "./account/create-demo.ts";
export { countAccounts, type FaringCredential, findCredential, listCredentials } from "./account/find-credential.ts";
export { isSameAccount } from "./account/is-same-account.ts";
export { checkCredential, recheckCredentials } from "./account/recheck-credentials.ts";
export { removeCredential } from "./account/remove-credential.ts";
export { tidyGateways } from "./account/tidy-gateways.ts";
export type { AttemptRow as GatewayAttemptRow } from "./call/attempts.sql.ts";
export { callGateway } from "./call/call-gateway.ts";
export { chooseAccounts, chooseAmong, takesAmount } from "./call/choose-accounts.ts";
export { listAttempts as listGatewayAttempts } from "./call/list-attempts.ts";
export { baseUrlOf, type OpenAccount, openAccount, openRow } from "./call/open-account.ts";
export { leadingToWeb } from "./call/web-action.ts";
export { claimCallbacks, deleteAppliedCallbacks, reviveCallbacks } from "./callback/end-callbacks.ts";
export { listStrays, listStraysOf } from "./callback/list-strays.ts";
export {
  type CallbackEffect,
  type CallbackJob,
  callbackQueue,
  type StoredCallback,
  updateCallbackApplied,
  updateCallbackRetried,
  updateCallbacksApplied,
  updateCallbacksPostponed,
} from "./callback/sql.ts";
export type { StrayRow } from "./callback/strays.sql.ts";
export { type CallbackSender, type Incoming, type Taken, takeCallback } from "./callback/take-callback.ts";
export type * from "./callback-port.ts";
export { claimComparisons, reviveComparisons } from "./comparison/claim-comparisons.ts";
export {
  type ComparisonEnd,
  type ComparisonJob,
  comparisonQueue,
  listComparisonFigures,
  updateCompared,
  updateComparisonDue,
} from "./comparison/sql.ts";
export { answerDemoPage } from "./demo/answer-page.ts";
export { gatewayErrors } from "./errors.ts";
export { callProvider, kindOfStatus, malformedAnswer, type ProviderAnswer, readObject, retryAfterOf, unanswered } from "./exchange.ts";
export * from "./gateway-error.ts";
export {
  type GatewayMethod,
  listMethods,
  type Names,
  nameIn,
  type PaymentMethod,
  type PaymentMethods,
  type PersonalMethod,
  takesCurrency,
} from "./payment-methods.ts";
export type * from "./port.ts";
export { readForm } from "./read-form.ts";
export { at, listAt, textAt } from "./read-json.ts";
export { type Gateways, gatewayErrorKinds, gatewayVerbs, listGateways } from "./registry.ts";
export { callbackUrl } from "./rows/callback-url.ts";
export { type Credential, type CredentialRow, listCredentialRows, listEntriesOfAccount } from "./rows/sql.ts";
export { gatewaySecrets } from "./sealed.sql.ts";
export { findSetup } from "./setup/find-setup.ts";
export { type Setup, setupFindings, setupOutcomes } from "./setup/shapes.ts";
export { connectionError, garbageAnswer, putFault, takeFault } from "./simulator/faults.ts";
export { memoryDocuments } from "./simulator/memory-documents.ts";
export { type OwnWorld, openWorld } from "./simulator/open-world.ts";
export { simulatorPage, simulatorPolicy } from "./simulator/page.ts";
export { pathIn } from "./simulator/path-in.ts";
export type * from "./simulator/simulator.ts";
export type * from "./snapshots.ts";
export { pollStates } from "./states.ts";
export { wireAmounts } from "./wire-amounts.ts";
