import { expect, test } from "vitest";
import { brokenAnswer, recordAnswers } from "#test/support/gateways/published/record-answers.ts";
import { type AnswerType, typeFaults } from "#test/support/gateways/published/type-faults.ts";
import { btcpay } from "./adapter.ts";
import { btcpaySimulator } from "./simulator.ts";
import { facts } from "./testing/facts.ts";

// The properties that BTCPay Server's Greenfield document of 23 July 2026 describes, none of which it requires. No package has them, so
// they are written down here. Where the document contradicts its server, the server counts: times of pull payments and payouts are numbers
// or null, and a BOLT11 expiration is a number.
const imports = `
type Status = "New" | "Processing" | "Expired" | "Invalid" | "Settled";
type Exception = "None" | "PaidLate" | "PaidPartial" | "Marked" | "Invalid" | "PaidOver";
type Invoice = Partial<{
  id: string; storeId: string; amount: string; paidAmount: string; currency: string; type: "Standard" | "TopUp"; checkoutLink: string;
  createdTime: number; expirationTime: number; monitoringExpiration: number; status: Status; additionalStatus: Exception;
  availableStatusesForManualMarking: Status[]; archived: boolean; metadata: object; checkout: object | null; receipt: object | null;
}>;
type Payment = Partial<{
  id: string; receivedDate: number; value: string; fee: string; status: "Invalid" | "Processing" | "Settled"; destination: string;
}>;
type PaymentMethod = Partial<{
  paymentMethodId: string; currency: string; destination: string; paymentLink: string | null; rate: string; paymentMethodPaid: string;
  totalPaid: string; due: string; amount: string; paymentMethodFee: string; payments: Payment[]; activated: boolean;
  additionalData: unknown;
}>;
type PullPayment = Partial<{
  id: string; name: string; description: string; currency: string; amount: string; startsAt: number; expiresAt: number | null;
  BOLT11Expiration: number; autoApproveClaims: boolean | null; archived: boolean; viewLink: string;
}>;
type Payout = Partial<{
  id: string; revision: number; pullPaymentId: string; date: number; destination: string; originalCurrency: string; originalAmount: string;
  payoutCurrency: string; payoutAmount: string | null; payoutMethodId: string; paymentProof: object; metadata: object;
  state: "AwaitingApproval" | "AwaitingPayment" | "InProgress" | "Completed" | "Cancelled";
}>;
type Delivery<Type extends string, Own = object> = Partial<{
  deliveryId: string; webhookId: string; originalDeliveryId: string; isRedelivery: boolean; timestamp: number;
  storeId: string; invoiceId: string; metadata: object;
} & Own> & { type: Type };
type PaymentOwn = { afterExpiration: boolean; paymentMethodId: string; payment: Payment };
type Event =
  | Delivery<"InvoiceCreated">
  | Delivery<"InvoiceSettled", { manuallyMarked: boolean; overPaid: boolean }>
  | Delivery<"InvoiceInvalid", { manuallyMarked: boolean }>
  | Delivery<"InvoiceProcessing", { overPaid: boolean }>
  | Delivery<"InvoiceExpired", { partiallyPaid: boolean }>
  | Delivery<"InvoiceReceivedPayment" | "InvoicePaymentSettled", PaymentOwn>;
`;
const types: AnswerType[] = [
  { request: /^callback$/, type: "Event" },
  { request: /^GET .*\/stores\/…\/invoices$/, type: "Invoice[]" },
  { request: /^POST .*\/stores\/…\/invoices(\/…\/status)?$/, type: "Invoice" },
  { request: /^GET .*\/invoices\/…\/payment-methods$/, type: "PaymentMethod[]" },
  { request: /^GET .*\/stores\/…\/pull-payments$/, type: "PullPayment[]" },
  { request: /^(POST .*\/invoices\/…\/refund|GET .*\/pull-payments\/…)$/, type: "PullPayment" },
  { request: /^GET .*\/pull-payments\/…\/payouts$/, type: "Payout[]" },
];

test("all that the simulator answers and sends is as BTCPay Server's document describes it", async () => {
  const recorded = await recordAnswers({ adapter: btcpay, simulator: btcpaySimulator, ...facts });
  const broken = brokenAnswer(recorded, /^POST .*\/invoices$/);
  expect(typeFaults([...recorded, broken], { imports, types })).toEqual([
    "POST /api/v1/stores/…/invoices: Type 'number' is not assignable to type 'string'.",
  ]);
});
