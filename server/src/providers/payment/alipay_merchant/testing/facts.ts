import { type Forgery, inForm } from "#test/support/gateways/contract/forgeries.ts";
import type { ProviderFacts } from "#test/support/gateways/contract/provider-facts.ts";

export const facts: ProviderFacts = {
  amount: { amount_minor: 1_234, currency: "CNY" },
  proof: inForm("sign"),
  staleAfterSeconds: null,
  refundsAreFinal: true,
  forgeries: [
    ...["RSA", "MD5", "rsa2"].map(
      (type): Forgery => ({ name: `${type} as the way of signing`, change: (real) => inForm("sign_type").write(real, type) }),
    ),
    { name: "another seller", change: (real) => inForm("seller_id").write(real, "2088000000000000") },
    { name: "another app", change: (real) => inForm("app_id").write(real, "2021000000000000") },
    { name: "an amount as an exponent", change: (real) => inForm("total_amount").write(real, "1e9") },
    { name: "a negative amount", change: (real) => inForm("total_amount").write(real, "-0.01") },
    { name: "a parameter twice", change: (real) => ({ ...real, body: `${real.body}&total_amount=0.01` }) },
    { name: "a field that flows into the next", change: (real) => ({ ...real, body: real.body.replace(/&/, "%26") }) },
  ],
};
