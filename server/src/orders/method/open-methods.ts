import { listProfiles } from "#collection/index.ts";
import type { PaymentMethod } from "#gateways/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";

/** How a payment method stands in a project and environment. */
export interface MethodState {
  method: PaymentMethod;
  /** Whether the merchant has set it up: a receiving code. */
  configured: boolean;
  /** Whether buyers are offered it. */
  enabled: boolean;
}

/** Every payment method, in the order in which buyers see them. */
export async function listMethodStates(ctx: Pick<Ctx, "db" | "methods">, tenant: Tenant): Promise<MethodState[]> {
  const profiles = await listProfiles(ctx.db, tenant);
  return ctx.methods.all.map((method) => {
    const profile = method.kind === "personal_qr" ? profiles.find(({ channel }) => channel === method.channel) : undefined;
    return { method, configured: profile !== undefined, enabled: profile?.enabled === true };
  });
}

/** The payment methods that buyers are offered. */
export async function findOpenMethods(ctx: Pick<Ctx, "db" | "methods">, tenant: Tenant): Promise<PaymentMethod[]> {
  return (await listMethodStates(ctx, tenant)).filter(({ enabled }) => enabled).map(({ method }) => method);
}
