export { addressPolicy } from "./address-policy.ts";
export { isAddressRange } from "./address-range.ts";
export { createEgress, type Egress, type EgressOptions } from "./egress.ts";
export type { AnswerHead, Exchange } from "./exchange.ts";
export type { FailureCode } from "./failure-code.ts";
export type { Resolve } from "./resolve-name.ts";
