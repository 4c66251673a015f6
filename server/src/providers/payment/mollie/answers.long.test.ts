import { expect, test } from "vitest";
import { brokenAnswer, recordAnswers } from "#test/support/gateways/published/record-answers.ts";
import { type AnswerType, typeFaults } from "#test/support/gateways/published/type-faults.ts";
import { mollie } from "./adapter.ts";
import { mollieSimulator } from "./simulator.ts";
import { facts } from "./testing/facts.ts";

const data = "@mollie/api-client/dist/types/data";
// Where Mollie's library contradicts the examples of Mollie's own document, the document counts: the method of an open payment and the
// reversal of a chargeback are null, lists and failed payments have fewer links and details, and so have profiles.
const imports = `
import type { ChargebackData } from "${data}/chargebacks/Chargeback";
import type { Links } from "${data}/global";
import type { CreditCardDetails, PaymentData } from "${data}/payments/data";
import type { ProfileData } from "${data}/profiles/data";
import type { RefundData } from "${data}/refunds/data";
type Loose<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;
type Link = { href: string; type: string };
type Chargeback = Omit<Loose<ChargebackData, "settlementAmount">, "reversedAt"> & { reversedAt: string | null };
type Payment = Omit<Wire<PaymentData>, "isCancelable" | "method" | "details" | "_links" | "_embedded"> & {
  isCancelable?: boolean;
  method: Wire<PaymentData["method"]> | null;
  details?: Partial<Wire<CreditCardDetails>>;
  _links: Loose<PaymentData["_links"], "documentation">;
  _embedded?: { chargebacks: Chargeback[] };
};
type Refund = Omit<Wire<RefundData>, "_links"> & { _links: Loose<RefundData["_links"], "documentation"> };
type Profile = Omit<Wire<ProfileData>, "_links" | "categoryCode" | "review"> & { _links: Links };
type List<T> = { count: number; _embedded: T; _links: Links & { previous: Link | null; next: Link | null } };
`;
const types: AnswerType[] = [
  { request: /^callback$/, type: "string" },
  { request: /^GET \/v2\/profiles\/me$/, type: "Profile" },
  { request: /^GET \/v2\/payments$/, type: "List<{ payments: Payment[] }>" },
  { request: /^(POST \/v2\/payments|(GET|DELETE) \/v2\/payments\/…)$/, type: "Payment" },
  { request: /^GET \/v2(\/payments\/…)?\/refunds$/, type: "List<{ refunds: Refund[] }>" },
  { request: /^(POST \/v2\/payments\/…\/refunds|GET \/v2\/payments\/…\/refunds\/…)$/, type: "Refund" },
];

test("all that the simulator answers has the types of Mollie's own library, and nothing that they don't have", async () => {
  const recorded = await recordAnswers({ adapter: mollie, simulator: mollieSimulator, ...facts });
  const broken = brokenAnswer(recorded, /^POST \/v2\/payments$/);
  expect(typeFaults([...recorded, broken], { imports, types })).toEqual([
    "POST /v2/payments: Type 'number' is not assignable to type 'string'.",
  ]);
});
