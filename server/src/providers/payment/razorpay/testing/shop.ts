import type { GatewayAmount, SimulatedOutcome } from "#gateways/index.ts";
import { type GatewayShop, openGatewayShop } from "#test/support/gateways/contract/provider-shop.ts";
import { razorpay } from "../adapter.ts";
import { razorpaySimulator } from "../simulator.ts";

export const rupees: GatewayAmount = { amount_minor: 123_400, currency: "INR" };

export const openShop = () => openGatewayShop(razorpay, razorpaySimulator);

/** A payment to which these outcomes happened, one after the other. */
export async function payingIn(shop: GatewayShop, happened: readonly SimulatedOutcome[], amount = rupees) {
  const payment = shop.payment(amount);
  const { reference } = payment;
  const created = await shop.account.create(shop.call, payment);
  const key = { reference, providerId: created.providerId };
  const happen = (outcome: SimulatedOutcome) => razorpaySimulator.simulate(shop.world, { reference, outcome });
  for (const outcome of happened) await happen(outcome);
  return { ...shop, payment, created, key, happen, query: () => shop.account.query(shop.call, key) };
}

export const paying = async (...happened: SimulatedOutcome[]) => payingIn(await openShop(), happened);

/** Razorpay lets buyers pay its fee in addition. */
export async function withFeeOnTop({ world }: GatewayShop): Promise<void> {
  await world.documents.put("account", "shop", { ...(await world.documents.get<object>("account", "shop")), feeBearer: "customer" });
}
