import { requireVerified } from "#identity/index.ts";
import { type Ctx, inSteps, isUniqueViolation, platformErrors, type Tenant } from "#platform/index.ts";
import type { GatewayBuyer } from "../gateway/buyer/buyer.ts";
import { closingOpen } from "../gateway/close-open.ts";
import { type GatewayStartRequest, startGateway } from "../gateway/start-gateway.ts";
import type { Personal } from "../method/find-method.ts";
import { startPersonal } from "../session/personal-qr.ts";
import { prepareStart, type StartRequest } from "../session/prepare-start.ts";
import type { StartedPayment } from "../session/starting.ts";

interface StartInput {
  order_id: string;
  gateway: string;
  /** The buyer, if their own browser makes the request. */
  buyer?: GatewayBuyer;
}

/**
 * Opens a payment of an unpaid order with the method of `gateway`. A second tap finds the session that the first one opened. An open
 * session of another gateway is canceled, at its provider first, unless something was reported on it or the provider doesn't respond
 * (session_active).
 */
export async function startPayment(
  ctx: Ctx,
  tenant: Tenant,
  { order_id, gateway, buyer = undefined }: StartInput,
): Promise<StartedPayment> {
  await requireVerified(ctx, tenant);
  const method = ctx.methods.find(gateway);
  if (method === null) throw noSuchGateway(ctx);
  if (method.kind === "gateway") return startAtProvider(ctx, { tenant, order_id, method, buyer: buyer ?? null });
  const personal = method as Personal;
  return closingOpen(ctx, (closed) => startPersonalOnce(ctx, { tenant, order_id, method: personal, closed }));
}

/** The provider is called between two transactions, so the request's key is claimed across both. */
function startAtProvider(ctx: Ctx, request: GatewayStartRequest): Promise<StartedPayment> {
  return inSteps(ctx, async (steps) => {
    const { order, session, created } = await startGateway(steps, request);
    return { order, session, created };
  });
}

async function startPersonalOnce(ctx: Ctx, request: StartRequest & { method: Personal }): Promise<StartedPayment> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ctx.transact(async (tx) => {
        const { pinned, order, amount_minor, same, closeOther } = await prepareStart(tx, ctx, request);
        if (same !== null) return { order, session: same, created: false };
        return startPersonal(tx, pinned, { order, method: request.method, amount_minor, closeOther });
      });
    } catch (error) {
      if (tries === 5 || !isUniqueViolation(error, "payment_sessions_remark")) throw error;
    }
  }
}

function noSuchGateway({ methods }: Pick<Ctx, "methods">): Error {
  const allowed = methods.all.map(({ name }) => name);
  const message = `gateway must be one of ${allowed.join(", ")}.`;
  return platformErrors.parameter_invalid({ param: "gateway", reason: "not_in_list", values: { allowed }, message });
}
