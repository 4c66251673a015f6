import { baseUrlOf, callGateway, chooseAccounts, GatewayError, openAccount } from "#gateways/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import type { OrderRow } from "../../shapes.ts";

/** The address that identifies a buyer, and the account that needs it. */
export interface IdentityQuestion {
  credential_id: string;
  address: string;
}

/**
 * Whether the account that would take a payment needs to identify the buyer first; null if it doesn't, or no account takes the payment at
 * the moment.
 */
export async function requestIdentity(
  ctx: Ctx,
  given: { order: OrderRow; gateway: string; device: string; returnUrl: string; state: string },
): Promise<IdentityQuestion | null> {
  const { order, gateway, device, returnUrl, state } = given;
  const amount = { amount_minor: order.amount_minor - order.amount_held_minor, currency: order.currency };
  const [first] = await chooseAccounts(ctx, order, { gateway, amount, key: order.id });
  if (first === undefined) return null;
  const opened = await openAccount(ctx, order, first.id).catch(unlessUnreadable);
  const identity = opened?.account.buyerIdentity ?? null;
  if (opened === null || identity === null || !identity.isWanted(device)) return null;
  return { credential_id: first.id, address: identity.addressOf({ baseUrl: baseUrlOf(ctx, opened) }, { returnUrl, state }) };
}

/** Reads the buyer's identity from the response in their browser; null if the provider doesn't give it. */
export async function readIdentity(
  ctx: Ctx,
  tenant: Tenant,
  given: { credential_id: string; query: Readonly<Record<string, string>> },
): Promise<string | null> {
  try {
    const opened = await openAccount(ctx, tenant, given.credential_id);
    const identity = opened.account.buyerIdentity ?? null;
    if (identity === null) return null;
    return await callGateway(ctx, { opened, verb: "identify", reference: null }, (_account, call) => identity.read(call, given.query));
  } catch (error) {
    return unlessUnreadable(error);
  }
}

function unlessUnreadable(error: unknown): null {
  if (error instanceof GatewayError) return null;
  throw error;
}
