import { readFile } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import { callbackUrl, createCredential, type GatewayAdapter } from "#gateways/index.ts";
import { createOrder, startPayment } from "#orders/index.ts";
import { findOrderRow } from "#orders/rows/orders.sql.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { factsOf } from "#test/support/gateways/contract/provider-facts.ts";
import { trusting } from "#test/support/gateways/contract/simulated-app.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { gateways } from "../gateways.ts";
import { serveSimulator } from "./serve-simulator.ts";
import { writeSettings } from "./write-settings.ts";

const startsAt = "2026-11-20T08:00:00.000Z";
const clock = { now: () => new Date(startsAt) };

/** A provider's simulator as the command runs it, and the settings that it prints. */
async function runSimulator(adapter: GatewayAdapter) {
  const simulator = await adapter.simulator();
  const lines: string[] = [];
  const served = await serveSimulator(simulator, { port: 0, now: () => clock.now(), log: (line) => void lines.push(line) });
  const { settings, remove } = await writeSettings(simulator, served);
  const { NODE_EXTRA_CA_CERTS: file } = settings;
  // Node itself reads the file only when a process starts.
  const trusted = trusting(adapter, async () => (file === undefined ? null : [await readFile(file, "utf8")]));
  return { slug: simulator.slug, simulator, served, settings, remove, lines, adapter: trusted };
}

const providers = await Promise.all(gateways.map(runSimulator));
const port = await freePort();
const app = await testApp({
  startsAt,
  publicUrl: `http://127.0.0.1:${port}`,
  gateways: { adapters: providers.map(({ adapter }) => adapter), urls: providers.map(({ settings }) => settings.GATEWAY_URLS) },
});
clock.now = () => app.clock.now();
// Before the app, which would wait for the connections of callbacks that are still on their way.
afterAll(async () => {
  for (const { served, remove } of providers) {
    await served.close();
    await remove();
  }
});
await (await app.server()).listen({ host: "127.0.0.1", port });
const { ctx } = app;

test.each(providers)(
  "with the settings and fields of the simulator of $slug, an account is saved, and its payment is reported by a callback",
  async ({ slug, simulator, served, lines }) => {
    const { world } = served;
    const { amount } = await factsOf(slug);
    const shop = await app.tenant({ currency: amount.currency });
    const fields = await world.enter((inner) => simulator.openAccount(inner, "shop"));
    const credential = await createCredential(ctx, shop, { gateway: slug, fields });
    const url = callbackUrl(ctx, credential);
    await world.enter(async (inner) => simulator.enterCallbackUrl?.(inner, { account: "shop", url }));
    const { order } = await createOrder(ctx, shop, { ...amount });
    const { session } = await startPayment(ctx, shop, { order_id: order.id, gateway: slug });
    await world.enter((inner) => simulator.simulate(inner, { reference: session.id, outcome: "paid" }));
    const orderNow = () => findOrderRow(ctx.db, shop, order.id);
    const isReported = async () => lines.some((line) => line.endsWith("taken")) && (await orderNow())?.status === "paid";
    await eventually(() => `a payment through ${slug}: ${lines.join("; ")}`, isReported);
    expect(await orderNow()).toMatchObject({ amount_received_minor: amount.amount_minor, flags: [] });
  },
);
