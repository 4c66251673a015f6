import { findOrder, type OrderRow } from "#orders/index.ts";
import { AppError, type Ctx, type Tenant } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import { cleanName, cleanText } from "../mail/clean-text.ts";
import { projectLink } from "./links.ts";
import type { ParamsOf } from "./params.ts";
import type { Prepared } from "./prepared.ts";

const shownMost = 8;

/** One email for all payments that still wait; null if they have been reviewed in the meantime. */
export async function prepareProofs(
  ctx: Ctx,
  given: { params: ParamsOf["proof_waiting"][]; recipient: string },
): Promise<Prepared<"proof_waiting"> | null> {
  const livemode = given.params[0]?.livemode ?? false;
  const project = await findProject(ctx.db, given.recipient);
  if (project === null) return null;
  const ids = [...new Set(given.params.map((one) => one.order_id))];
  const found = await Promise.all(ids.map((id) => findWaiting(ctx, { project_id: project.id, livemode }, id)));
  const waiting = found.filter((order) => order !== null);
  const [first] = waiting;
  if (first === undefined) return null;
  const proofs = waiting.slice(0, shownMost).map((order) => ({
    reference: cleanText(order.reference, 64),
    amount: { amount_minor: order.amount_minor, currency: order.currency, exponent: order.exponent },
    at: order.updated_at,
  }));
  const url = projectLink(ctx, { project_id: project.id, livemode }, "/review");
  return { facts: { url, project: cleanName(project.name), livemode, count: waiting.length, proofs }, test: !livemode };
}

async function findWaiting(ctx: Ctx, tenant: Tenant, id: string): Promise<OrderRow | null> {
  try {
    const { order } = await findOrder(ctx, tenant, id);
    return order.status === "pending_verify" ? order : null;
  } catch (error) {
    if (error instanceof AppError && error.code === "resource_missing") return null;
    throw error;
  }
}
