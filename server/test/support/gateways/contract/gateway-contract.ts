import { ageContract, callbackContract, eventContract, forgeryContract, pageContract } from "./callbacks.ts";
import { listContract } from "./lists.ts";
import { accountContract, amountContract, creationContract, endContract, failureContract, paymentContract } from "./payments.ts";
import { doubtContract, failedRefundContract, refundContract, reportedRefundContract } from "./refunds.ts";
import type { GatewayUnderTest } from "./shops.ts";

/** Every adapter against its provider's simulator: the guarantees that the room orders relies on. */
export function gatewayContract(given: GatewayUnderTest): void {
  accountContract(given);
  paymentContract(given);
  creationContract(given);
  amountContract(given);
  endContract(given);
  failureContract(given);
  refundContract(given);
  reportedRefundContract(given);
  doubtContract(given);
  failedRefundContract(given);
  listContract(given);
  callbackContract(given);
  if (given.proof !== null) forgeryContract(given);
  if (given.staleAfterSeconds !== null) ageContract(given);
  eventContract(given);
  pageContract(given);
}
