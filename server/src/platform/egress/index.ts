export { addressPolicy } from "./address-policy.ts";
export { isAddressRange } from "./address-range.ts";
export { createEgress, type Egress } from "./egress.ts";
export type { AnswerHead, Exchange } from "./exchange.ts";
