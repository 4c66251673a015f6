import type { ProviderFacts } from "#test/support/gateways/contract/provider-facts.ts";

export const facts: ProviderFacts = {
  amount: { amount_minor: 1_234, currency: "EUR" },
  proof: null,
  staleAfterSeconds: null,
  forgeries: ["id=tr_doesnotexist", "id=tr_1&id=tr_2", "id=", "id=%00"].map((body) => ({
    name: body,
    change: (real) => ({ ...real, body }),
  })),
};
