import { fork } from "node:child_process";
import { createHmac } from "node:crypto";
import { createCredential } from "#gateways/index.ts";
import { type Database, openDatabase, type Tenant } from "#platform/index.ts";
import { stripe } from "#providers/payment/stripe/adapter.ts";
import { contextOn } from "#test/support/app/context.ts";
import { simulatedWorld } from "#test/support/gateways/simulated/simulated-world.ts";
import { answerOf } from "./answer-of.ts";
import { insertManyOrders } from "./ceilings.sql.ts";
import { countSettled, insertOpenPayments, listUntouched } from "./gateways.sql.ts";
import type { Row } from "./report.ts";
import { runServed, type Served, withServed } from "./run-served.ts";
import type { Simulating } from "./simulate.ts";
import { type Commits, settleDisk, watchCommits } from "./watch-commits.ts";

interface Given {
  url: string;
  ownerUrl: string;
  tenant: Tenant;
  authorization: string;
  quick: boolean;
}

interface Measuring extends Given, Simulating {
  owner: Database;
  credentialId: string;
  times: { warmupMs: number; measureMs: number };
}

const perSecond = 100;
/** Payments that a server has started before it is measured, as fast as it can. */
const busyBefore = 400;
const startAim = 3;
const settleAim = 0.5;

/**
 * Compares starting a payment through a gateway with passing the same request on, and the rate of settled callbacks with that of simulated
 * payments.
 */
export async function measureGateways(given: Given): Promise<{ rows: Row[]; line: string }> {
  const simulating = fork(new URL("simulate.ts", import.meta.url));
  const owner = openDatabase({ url: given.ownerUrl, max: 2 });
  try {
    simulating.send("simulate");
    const provider = await answerOf<Simulating>(simulating);
    const ctx = contextOn(owner, {
      now: () => new Date(),
      files: { put: async () => {}, get: async () => null, remove: async () => {} },
      gateways: { adapters: [stripe], urls: [`stripe=${provider.origin}`] },
    });
    const { id } = await createCredential(ctx, given.tenant, { gateway: "stripe", fields: provider.fields });
    const times = given.quick ? { warmupMs: 500, measureMs: 3_000 } : { warmupMs: 2_000, measureMs: 20_000 };
    const measuring: Measuring = { ...given, ...provider, owner, credentialId: id, times };
    const callbacks = given.quick ? 1_000 : 10_000;
    await insertManyOrders(owner.db, given.tenant, { from: 1, to: 4 * callbacks + 4_000, now: new Date() });
    return { line: await measureStarts(measuring), rows: [await measureCallbacks(measuring, callbacks)] };
  } finally {
    simulating.disconnect();
    await owner.close();
  }
}

/**
 * At a rate that leaves the processor idle most of the time: what counts is how long one takes. Each server has been busy before, so that
 * it has all its connections, and what it does is compiled: those that are opened while payments wait have them wait longer.
 */
async function measureStarts(measuring: Measuring): Promise<string> {
  const { tenant, times, authorization } = measuring;
  const ids = await listUntouched(
    measuring.owner.db,
    tenant,
    Math.ceil(((times.warmupMs + times.measureMs) / 1_000) * perSecond) + 100 + busyBefore,
  );
  const path = `/api/v1/projects/${tenant.project_id}/gateways/stripe/payments`;
  const bodyOf = (n: number) => ({
    headers: "",
    body: JSON.stringify({ key: measuring.fields["secret_key"], once: `bare-${n}`, form: formOf(n) }),
  });
  const proxied = ids.map((_, n) => ({ path: "/payments", ...bodyOf(n) }));
  const started = ids.map((order_id) => ({ path, headers: authorization, body: JSON.stringify({ order_id }) }));
  await settleDisk();
  const bare = await measureAfterBusy(measuring, "proxy", proxied);
  await settleDisk();
  const ours = await measureAfterBusy(measuring, "tillpost", started);
  return lineOf(ours, bare);
}

interface Request {
  path: string;
  headers: string;
  body: string;
}

type Watched = Served & { commits: Commits };

function measureAfterBusy(measuring: Measuring, kind: "proxy" | "tillpost", requests: readonly Request[]): Promise<Watched> {
  const { url, tenant, origin: provider, owner, times } = measuring;
  const trafficOf = (some: readonly Request[]) => ({
    ...({ method: "POST", headers: "", body: "", once: true, connections: 16 } as const),
    ...{ paths: some.map((one) => one.path), each: some },
  });
  return withServed({ kind, url, tenant, provider }, async (load) => {
    await load(trafficOf(requests.slice(0, busyBefore)), { warmupMs: 0, measureMs: 60_000 });
    const commits = watchCommits(owner.db);
    const served = await load({ ...trafficOf(requests.slice(busyBefore)), perSecond }, times);
    return { ...served, commits: await commits.stop() };
  });
}

function lineOf(ours: Watched, bare: Watched): string {
  const ratio = ours.p50Ms / bare.p50Ms;
  const met = `≤ ${startAim.toFixed(2)} ${ratio <= startAim ? "met" : "missed"}`;
  const added = `${(ours.p50Ms - bare.p50Ms).toFixed(2)} and ${(ours.p99Ms - bare.p99Ms).toFixed(2)} ms added at p50 and p99`;
  const { p50Ms, p99Ms, worstMs } = ours.commits;
  const why = `At the same time, a small commit took ${p50Ms} ms at p50, ${p99Ms} ms at p99 and ${worstMs} ms at worst (during the bare route: ${bare.commits.p99Ms} ms at p99); the server's thread was held up for ${ours.heldUpMs} ms at the longest, and for ${ours.collectedMs} ms by garbage collection.`;
  return `Gateway payment from POST to redirect, ${ours.perSecond} per second: p50 ${ours.p50Ms} ms, p99 ${ours.p99Ms} ms. Bare proxy route to the same simulator: p50 ${bare.p50Ms} ms, p99 ${bare.p99Ms} ms; ${added}, ${ratio.toFixed(2)} times its p50 (${met}). ${why}`;
}

/** What our adapter asks of Stripe for such a payment. */
function formOf(n: number): string {
  const reference = `ps_${String(n).padStart(26, "0")}`;
  const line = "line_items[0]";
  return new URLSearchParams({
    mode: "payment",
    client_reference_id: reference,
    [`${line}[quantity]`]: "1",
    [`${line}[price_data][currency]`]: "cny",
    [`${line}[price_data][unit_amount]`]: "9900",
    [`${line}[price_data][product_data][name]`]: "Three months",
    success_url: "http://localhost:8080/pay/pl_test?back=paid",
    cancel_url: "http://localhost:8080/pay/pl_test",
    locale: "auto",
    "adaptive_pricing[enabled]": "false",
    "metadata[tillpost_reference]": reference,
    "payment_intent_data[description]": "Three months",
    "payment_intent_data[metadata][tillpost_reference]": reference,
  }).toString();
}

/**
 * Each order's own callback, signed as Stripe signs; the ceiling is as many payments that are simulated, which are settled in the same
 * groups.
 */
async function measureCallbacks(measuring: Measuring, count: number): Promise<Row> {
  const { url, tenant, owner, credentialId, authorization, origin: provider } = measuring;
  const times = { warmupMs: 0, measureMs: 600_000 };
  const orders = await listUntouched(owner.db, tenant, count);
  const simulate = orders.map((id) => `/api/v1/projects/${tenant.project_id}/orders/${id}/simulate-payment`);
  const run = { method: "POST", once: true } as const;
  const simulated = await runServed(
    { kind: "tillpost", url, tenant },
    { ...run, paths: simulate, headers: authorization, body: "{}" },
    times,
  );
  const paid = await insertOpenPayments(owner.db, tenant, { credentialId, count });
  const path = `/api/payments/stripe/webhook/${credentialId}`;
  const template = await eventTemplate();
  const each = paid.map(({ session_id }, n) =>
    signed(measuring.fields["webhook_secret"] ?? "", eventOf(template, { reference: session_id, n })),
  );
  const measured = await runServed(
    { kind: "tillpost", url, tenant, provider },
    { ...run, paths: paid.map(() => path), each, headers: "", body: "" },
    times,
  );
  const settled = await countSettled(owner.db, tenant);
  if (settled.paid < count || settled.applied < count)
    throw new Error(`of ${count} orders ${settled.paid} are paid, ${settled.applied} callbacks are applied`);
  const name = `${count.toLocaleString("en").replaceAll(",", " ")} callbacks, one per order`;
  return { name, measured, ceilings: [["settle (simulate-payment)", simulated, settleAim]] };
}

/** The payment that all callbacks are copies of. */
const shown = `ps_${"7".repeat(26)}`;

interface Template {
  body: string;
  ids: { event: string; session: string; intent: string };
}

/** A genuine callback of the simulator's about a payment of as much. */
async function eventTemplate(): Promise<Template> {
  const simulator = await stripe.simulator();
  const world = simulatedWorld(new Date());
  const account = stripe.open(await simulator.openAccount(world, "shop"), { livemode: false });
  await account.create(world.call(simulator), {
    ...{ reference: shown, amount: { amount_minor: 9_900, currency: "CNY" }, title: "Three months", metadata: {} },
    ...{
      notifyUrl: "http://localhost/hook",
      returnUrl: "http://localhost/",
      cancelUrl: "http://localhost/",
      expiresAt: new Date(Date.now() + 7_200_000),
    },
    buyer: { ip: null, locale: "en", device: "desktop", openid: null },
  });
  await simulator.simulate(world, { reference: shown, outcome: "paid" });
  const { body } = await simulator.callbackOf(world, shown);
  const event = JSON.parse(body) as { id: string; data: { object: { id: string; payment_intent: string } } };
  return { body, ids: { event: event.id, session: event.data.object.id, intent: event.data.object.payment_intent } };
}

function eventOf({ body, ids }: Template, { reference, n }: { reference: string; n: number }): string {
  return body
    .replaceAll(shown, reference)
    .replaceAll(ids.session, `cs_test_${reference}`)
    .replaceAll(ids.intent, `${ids.intent}${n}`)
    .replaceAll(ids.event, `${ids.event}${n}`);
}

function signed(secret: string, body: string): { headers: string; body: string } {
  const at = Math.floor(Date.now() / 1_000);
  const signature = createHmac("sha256", secret).update(`${at}.${body}`).digest("hex");
  return { headers: `stripe-signature: t=${at},v1=${signature}\r\n`, body };
}
