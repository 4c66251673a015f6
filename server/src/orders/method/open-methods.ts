import { listProfiles } from "#collection/index.ts";
import { countAccounts, type PaymentMethod } from "#gateways/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import { inBuyersOrder } from "./buyers-order.ts";

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

/** Every payment method, in the order in which the project's buyers see them. */
export async function listMethodStates(ctx: Pick<Ctx, "db" | "methods">, tenant: Tenant): Promise<MethodState[]> {
  const [states, project] = await Promise.all([findMethodStates(ctx, tenant), findProject(ctx.db, tenant.project_id)]);
  const byName = new Map(states.map((state) => [state.method.name, state]));
  return inBuyersOrder(ctx.methods.all, project?.settings).flatMap(({ name }) => byName.get(name) ?? []);
}

/** Every payment method's state, in the installation's order. */
async function findMethodStates(ctx: Pick<Ctx, "db" | "methods">, tenant: Tenant): Promise<MethodState[]> {
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

/** The payment methods that can take payments, in the installation's order. */
export async function findOpenMethods(ctx: Pick<Ctx, "db" | "methods">, tenant: Tenant): Promise<PaymentMethod[]> {
  return (await findMethodStates(ctx, tenant)).filter(({ enabled }) => enabled).map(({ method }) => method);
}
