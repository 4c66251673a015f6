import type { Ctx, Exchange } from "#platform/index.ts";
import { deliverCallbacks } from "./deliver-callbacks.ts";
import type { DemoPlace } from "./documents.sql.ts";
import { demoOrigin, enterDemo } from "./enter-demo.ts";

type Sent = Parameters<Ctx["egress"]["request"]>[0];

/** Replaces the network for a demo account's calls: its simulated provider responds, in this process. Nothing else can be reached. */
export function sendToDemo(ctx: Ctx, place: DemoPlace): (sent: Sent) => Promise<Exchange> {
  const { origin } = new URL(demoOrigin(ctx, place));
  return async ({ url, method, headers, body }) => {
    const start = performance.now();
    const took = () => Math.round(performance.now() - start);
    const ended = (sent: boolean): Exchange => ({
      status: null,
      error_code: sent ? "connection_reset" : "connect",
      duration_ms: took(),
      head: null,
      sent,
    });
    if (new URL(url).origin !== origin) return ended(false);
    try {
      const newRequest = () => new Request(url, { method, headers, ...(body === undefined ? {} : { body: new Uint8Array(body) }) });
      const { callbacks, ...result } = await enterDemo(ctx, place, (simulator, world) => simulator.handle(world, newRequest()));
      // A provider responds without waiting for its callbacks.
      ctx.gateways.keep(deliverCallbacks(ctx, place, callbacks));
      if (result.error !== null) return ended(!isRefused(result.error));
      const answer = result.value;
      return {
        ...{ status: answer.status, headers: Object.fromEntries(answer.headers), body: Buffer.from(await answer.arrayBuffer()) },
        ...{ truncated: false, duration_ms: took(), error_code: null },
      };
    } catch (error) {
      ctx.log.warn({ err: error, gateway: place.gateway, credential_id: place.id }, "a simulated provider couldn't be queried");
      return ended(true);
    }
  };
}

/** Only the authorities of a simulated provider's certificates. */
export async function listDemoRoots(ctx: Ctx, place: DemoPlace): Promise<readonly string[]> {
  const result = await enterDemo(ctx, place, async (simulator, world) => (await simulator.roots?.(world)) ?? []);
  if (result.error !== null) throw result.error;
  return result.value;
}

/** Whether a simulator simulated an unreachable server. */
function isRefused(error: Error): boolean {
  return (error.cause as { code?: unknown } | undefined)?.code === "ECONNREFUSED";
}
