import { inHeader } from "#test/support/gateways/contract/forgeries.ts";
import type { ProviderFacts } from "#test/support/gateways/contract/provider-facts.ts";

const signature = inHeader("stripe-signature");

export const facts: ProviderFacts = {
  amount: { amount_minor: 1_234, currency: "EUR" },
  proof: signature,
  staleAfterSeconds: 300,
  forgeries: [
    { name: "the signature under the older scheme", change: (real) => signature.write(real, signature.read(real).replace("v1=", "v0=")) },
    { name: "another time in the signed header", change: (real) => signature.write(real, signature.read(real).replace(/t=\d/, "t=9")) },
    { name: "two times in the signed header", change: (real) => signature.write(real, `t=1,${signature.read(real)}`) },
  ],
};
