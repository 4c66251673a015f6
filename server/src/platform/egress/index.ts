export { createEgress, type Egress, type EgressLimits, type EgressOptions, type EgressRequest, type Exchange } from "./egress.ts";
export type { FailureCode } from "./failure-code.ts";
export type { Resolve } from "./resolve-name.ts";
