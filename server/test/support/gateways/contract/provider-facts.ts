import type { GatewayAmount } from "#gateways/index.ts";
import type { Forgery, Proof } from "./forgeries.ts";

/**
 * What the tests of every gateway need to know about one provider. It is in the provider's own folder, as `testing/facts.ts`, so that a new
 * gateway includes it.
 */
export interface ProviderFacts {
  /** An amount that the gateway takes. */
  amount: GatewayAmount;
  /** Where callbacks carry the provider's signature; null if they are unsigned, and therefore only hints. */
  proof: Proof | null;
  /**
   * Whether a callback may carry several signatures, one of which must be right: while a secret is replaced, the provider signs with both.
   */
  severalSignatures?: boolean;
  /**
   * What strangers may try with this provider's callbacks in addition to what they try with all: weaker proofs, other keys, hints about
   * other payments.
   */
  forgeries: readonly Forgery[];
  /** After how many seconds a callback is too old; null if it carries no time. */
  staleAfterSeconds: number | null;
  /** Whether the provider decides each refund immediately and finally: its simulator then refuses to fail one. */
  refundsAreFinal?: boolean;
  /** Whether the adapter looks for a payment before it creates one: if a fault hits that query, it is certain that nothing was created. */
  looksFirst?: boolean;
}

/** The facts of a gateway. */
export async function factsOf(slug: string): Promise<ProviderFacts> {
  const { href } = new URL(`../../../../src/providers/payment/${slug}/testing/facts.ts`, import.meta.url);
  return ((await import(href)) as { facts: ProviderFacts }).facts;
}
