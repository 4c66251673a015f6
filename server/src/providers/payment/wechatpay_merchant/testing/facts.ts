import { inHeader } from "#test/support/gateways/contract/forgeries.ts";
import type { ProviderFacts } from "#test/support/gateways/contract/provider-facts.ts";

const [signature, time] = [inHeader("wechatpay-signature"), inHeader("wechatpay-timestamp")];

export const facts: ProviderFacts = {
  amount: { amount_minor: 8_800, currency: "CNY" },
  proof: signature,
  staleAfterSeconds: 300,
  forgeries: [
    {
      name: "an unknown certificate's serial number",
      change: (real) => inHeader("wechatpay-serial").write(real, "7777777777777777777777777777777777777777"),
    },
    { name: "another nonce", change: (real) => inHeader("wechatpay-nonce").write(real, "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345") },
    { name: "another time", change: (real) => time.write(real, String(Number(time.read(real)) + 1)) },
    { name: "a probe's signature", change: (real) => signature.write(real, `WECHATPAY/SIGNTEST/${signature.read(real)}`) },
  ],
};
