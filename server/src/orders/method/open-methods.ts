import { listProfiles } from "#collection/index.ts";
import { countAccounts, type PaymentMethod } from "#gateways/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";

/** The state of a payment method in a project and environment. */
export interface MethodState {
  method: PaymentMethod;
  /** Whether the merchant has set it up: a receiving code, or an account with the provider. */
  configured: boolean;
  /** Whether it can take payments. */
  enabled: boolean;
  /** How many accounts with its provider exist. */
  accounts: number;
  /** Whether its payments are simulated. */
  demo: boolean;
}

/** Every payment method, in the order in which buyers see them. */
export async function listMethodStates(ctx: Pick<Ctx, "db" | "methods">, tenant: Tenant): Promise<MethodState[]> {
  const counts = ctx.methods.all.some(({ kind }) => kind === "gateway") ? countAccounts(ctx.db, tenant) : [];
  const [profiles, counted] = await Promise.all([listProfiles(ctx.db, tenant), counts]);
  return ctx.methods.all.map((method) => {
    if (method.kind === "personal_qr") {
      const profile = profiles.find(({ channel }) => channel === method.channel);
      return { method, configured: profile !== undefined, enabled: profile?.enabled === true, accounts: 0, demo: false };
    }
    const { accounts, usable, demo } = counted.find(({ gateway }) => gateway === method.gateway) ?? { accounts: 0, usable: 0, demo: false };
    return { method, configured: accounts > 0, enabled: usable > 0, accounts, demo };
  });
}

/** The payment methods offered to buyers. */
export async function findOpenMethods(ctx: Pick<Ctx, "db" | "methods">, tenant: Tenant): Promise<PaymentMethod[]> {
  return (await listMethodStates(ctx, tenant)).filter(({ enabled }) => enabled).map(({ method }) => method);
}
