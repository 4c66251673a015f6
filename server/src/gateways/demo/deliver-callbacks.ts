import type { Ctx } from "#platform/index.ts";
import { callbackUrl } from "../rows/callback-url.ts";
import type { SimulatedCallback } from "../simulator/simulator.ts";
import type { DemoPlace } from "./documents.sql.ts";

/** Waits before a callback that wasn't accepted is repeated. If it still isn't accepted then, the payment is polled as usual. */
const waitsMs = [500, 2_000];

/**
 * Delivers a simulated provider's callbacks through the same route as real ones: their signatures are verified there, only for this
 * account. Never throws.
 */
export async function deliverCallbacks(ctx: Ctx, place: DemoPlace, callbacks: readonly SimulatedCallback[]): Promise<void> {
  for (const callback of callbacks) {
    try {
      await deliver(ctx, place, callback);
    } catch (error) {
      ctx.log.error(
        { err: error, gateway: place.gateway, credential_id: place.id },
        "a simulated provider's callback couldn't be delivered",
      );
    }
  }
}

async function deliver(ctx: Ctx, place: DemoPlace, { url, headers, body, accepts }: SimulatedCallback): Promise<void> {
  // The address may have been entered while this server had another name.
  const path = new URL(callbackUrl(ctx, place)).pathname;
  if (URL.parse(url)?.pathname.endsWith(callbackUrl({ publicUrl: "" }, place)) !== true) return;
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  for (let sent = 0; ; sent += 1) {
    const raw = { method: "POST", path, headers: named, body: Buffer.from(body), receivedAt: ctx.now() };
    const answer = await ctx.gateways.deliver(inward(ctx, place), { gateway: place.gateway, credentialId: place.id, raw });
    const waitMs = waitsMs[sent];
    if (waitMs === undefined || accepts({ status: answer?.status ?? 404, body: answer?.body ?? "" })) return;
    await ctx.gateways.wait(waitMs);
  }
}

/** Like a provider's own request: without an API key and without an Idempotency-Key. */
function inward(ctx: Ctx, { gateway }: DemoPlace): Ctx {
  return { ...ctx, actor: { kind: "provider", id: gateway }, claim: null, transact: ctx.transactUnclaimed };
}
