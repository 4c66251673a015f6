import { afterAll } from "vitest";
import { emit } from "#events/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import type { Sender } from "#webhooks/delivery/sending/create-sender.ts";
import { createEndpoint, createSender, fanOut } from "#webhooks/index.ts";
import { countDue } from "./webhooks.sql.ts";

/** Emits events of one tenant as an order's life would, in one transaction. */
export async function emitSome(ctx: Ctx, tenant: Tenant, ...[count = 1, event = "order.paid"]: [number?, string?]): Promise<void> {
  await ctx.transact((tx) =>
    emit(tx, ctx, {
      tenant,
      events: Array.from({ length: count }, (_, n) => ({
        event,
        object_id: ctx.id("ord"),
        data: { order: { id: `ord_${n}`, metadata: { n: String(n) } } },
      })),
    }),
  );
}

/** Emits one event of a message for each URL that is to receive it; null for none. */
export async function reportTo(ctx: Ctx, tenant: Tenant, ...urls: (string | null)[]): Promise<void> {
  const events = urls.map((callback_url, n) => ({
    event: "email.delivered",
    object_id: `em_${n}`,
    data: { email: { id: `em_${n}` } },
    callback_url,
  }));
  await ctx.transact((tx) => emit(tx, ctx, { tenant, events }));
}

/** An endpoint with the secret that signs for it. */
export async function endpointAt(
  ctx: Ctx,
  tenant: Tenant,
  ...[url, events = ["*"]]: [string, string[]?]
): Promise<{ id: string; secret: string }> {
  const { endpoint, secret } = await createEndpoint(ctx, tenant, { url, events });
  return { id: endpoint.id, secret: secret ?? "" };
}

/** A worker that a test runs manually. */
export interface Hand {
  sender: Sender;
  /** Fans out, sends what is due and waits until its outcome is written. */
  deliver(): Promise<void>;
}

export function handOf(ctx: Ctx): Hand {
  const sender = createSender();
  afterAll(() => sender.finish(ctx));
  return {
    sender,
    async deliver() {
      while ((await fanOut(ctx)) > 0);
      await sender.run(ctx);
      await sender.finish(ctx);
    },
  };
}

const lookEveryMs = 100;
const patienceLooks = 100;

/**
 * Sends as a process does until these endpoints are owed nothing that is due by the clock of `ctx`, or until nothing has moved for ten
 * seconds.
 */
export async function deliverDue(ctx: Ctx, endpoints: string[]): Promise<void> {
  const sender = createSender();
  let rung = Promise.withResolvers<void>();
  const unlisten = sender.listen(ctx, () => rung.resolve());
  let least = Number.POSITIVE_INFINITY;
  let looks = 0;
  for (let next = performance.now() + lookEveryMs; least > 0 && looks < patienceLooks; ) {
    rung = Promise.withResolvers<void>();
    await sender.run(ctx);
    await Promise.race([rung.promise, new Promise((resolve) => setTimeout(resolve, 100))]);
    if (performance.now() < next) continue;
    const left = await countDue(ctx.db, endpoints, ctx.now());
    looks = left < least ? 0 : looks + 1;
    least = Math.min(least, left);
    next = performance.now() + lookEveryMs;
  }
  unlisten();
  await sender.finish(ctx);
}
