import type { GatewayAmount } from "#gateways/index.ts";
import type { Forgery, Proof } from "./forgeries.ts";

/** What the tests of every gateway have to know of one provider. It is in the provider's own folder, as `testing/facts.ts`, so that a new gateway brings it along. */
export interface ProviderFacts {
  /** An amount that the gateway takes. */
  amount: GatewayAmount;
  /** Where callbacks carry the provider's signature; null if they are unsigned, and therefore only hints. */
  proof: Proof | null;
  /** Whether a callback may carry several signatures, one of which has to be right: while a secret is replaced, the provider signs with both. */
  severalSignatures?: boolean;
  /** What strangers may do with this provider's callbacks besides what they do with all: weaker ways of proving, other keys, hints about other payments. */
  forgeries: readonly Forgery[];
  /** After how many seconds a callback is too old; null where it carries no time. */
  staleAfterSeconds: number | null;
  /** Whether the provider decides each refund at once and for good: its simulator then refuses to fail one. */
  refundsAreFinal?: boolean;
  /** Whether the adapter looks for a payment before it makes one: a fault may meet that question, and then it is certain that nothing was made. */
  looksFirst?: boolean;
}

/** The facts of a gateway. */
export async function factsOf(slug: string): Promise<ProviderFacts> {
  const { href } = new URL(`../../../../src/providers/payment/${slug}/testing/facts.ts`, import.meta.url);
  return ((await import(href)) as { facts: ProviderFacts }).facts;
}
