import { serveSimulator } from "#app/simulator/serve-simulator.ts";
import { stripe } from "#providers/payment/stripe/adapter.ts";

/** A provider in a separate process: its origin, and the fields of an account there. */
export interface Simulating {
  origin: string;
  fields: Record<string, string>;
}

/** A program: simulates Stripe until its parent exits. */
process.once("message", () => void simulate());
process.once("disconnect", () => process.exit(0));

async function simulate(): Promise<void> {
  const simulator = await stripe.simulator();
  const served = await serveSimulator(simulator, { port: 0, now: () => new Date(), log: () => {} });
  const fields = await served.world.enter((world) => simulator.openAccount(world, "shop"));
  process.send?.({ origin: served.origin, fields } satisfies Simulating);
}
