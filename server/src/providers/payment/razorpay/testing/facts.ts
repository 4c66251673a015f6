import { inHeader } from "#test/support/gateways/contract/forgeries.ts";
import type { ProviderFacts } from "#test/support/gateways/contract/provider-facts.ts";

const signature = inHeader("x-razorpay-signature");

export const facts: ProviderFacts = {
  amount: { amount_minor: 123_400, currency: "INR" },
  proof: signature,
  staleAfterSeconds: null,
  forgeries: [{ name: "a signature of another length", change: (real) => signature.write(real, `${signature.read(real)}00`) }],
};
