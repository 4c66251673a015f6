export type * from "./callback.ts";
export { askProvider, kindOfStatus, malformedAnswer, type ProviderAnswer, readObject, retryAfterOf, unanswered } from "./exchange.ts";
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
export {
  type Gateways,
  type GatewayVerb,
  listGateways,
  type ObservedCall,
} from "./registry.ts";
export { memoryDocuments } from "./simulator/memory-documents.ts";
export { type OwnWorld, openWorld } from "./simulator/open-world.ts";
export { simulatorPage } from "./simulator/page.ts";
export type * from "./simulator/simulator.ts";
export type * from "./snapshots.ts";
export { wireAmounts } from "./wire-amounts.ts";
