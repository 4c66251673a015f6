import { inHeader } from "#test/support/gateways/contract/forgeries.ts";
import type { ProviderFacts } from "#test/support/gateways/contract/provider-facts.ts";

const url = inHeader("paypal-cert-url");

export const facts: ProviderFacts = {
  amount: { amount_minor: 1_234, currency: "EUR" },
  proof: inHeader("paypal-transmission-sig"),
  staleAfterSeconds: null,
  forgeries: [
    { name: "a weaker algorithm", change: (real) => inHeader("paypal-auth-algo").write(real, "SHA1withRSA") },
    { name: "MD5 as the algorithm", change: (real) => inHeader("paypal-auth-algo").write(real, "MD5withRSA") },
    {
      name: "a certificate of somebody else's host",
      change: (real) => url.write(real, "https://evil.example/v1/notifications/certs/CERT-1-2"),
    },
    { name: "a certificate that nobody knows", change: (real) => url.write(real, `${url.read(real)}0`) },
    {
      name: "another transmission",
      change: (real) => inHeader("paypal-transmission-id").write(real, "00000000-0000-0000-0000-000000000000"),
    },
    { name: "another time", change: (real) => inHeader("paypal-transmission-time").write(real, "2020-01-01T00:00:00Z") },
  ],
};
