import { inHeader } from "#test/support/gateways/contract/forgeries.ts";
import type { ProviderFacts } from "#test/support/gateways/contract/provider-facts.ts";

const signature = inHeader("btcpay-sig");

export const facts: ProviderFacts = {
  amount: { amount_minor: 1_234, currency: "EUR" },
  proof: signature,
  staleAfterSeconds: null,
  looksFirst: true,
  forgeries: [
    { name: "a weaker digest", change: (real) => signature.write(real, signature.read(real).replace("sha256=", "sha1=")) },
    { name: "a signature without its digest's name", change: (real) => signature.write(real, signature.read(real).replace("sha256=", "")) },
  ],
};
