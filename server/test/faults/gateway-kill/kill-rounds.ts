import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCredential, type PaymentSnapshot } from "#gateways/index.ts";
import { auditLedger } from "#ledger/index.ts";
import { auditBooks } from "#orders/index.ts";
import { findNow, type Tenant } from "#platform/index.ts";
import { mollie } from "#providers/payment/mollie/adapter.ts";
import { paypal } from "#providers/payment/paypal/adapter.ts";
import { stripe } from "#providers/payment/stripe/adapter.ts";
import { type TestApp, testApp } from "#test/support/app/test-app.ts";
import { type ApiProcess, startApi, startWorker } from "#test/support/programs/api-processes.ts";
import { temporaryFolder } from "#test/support/programs/program.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { startWorkers, type Workers } from "#workers/index.ts";
import { type Buyers, startBuyers } from "./buyers.ts";
import { type FaultyProvider, startFaultyProvider } from "./faulty-provider.ts";
import { type BookedPayment, countOfCycle, countUnanswered, listBookedPayments, updateOneCycle } from "./kill.sql.ts";

/** Result of a run of kills. Every list contains violations. */
export interface GatewayKillReport {
  kills: number;
  started: number;
  /** Payments that the providers took money for. */
  taken: number;
  /** Of those, how many no callback or response had reported before the last cycle. */
  foundLate: number;
  /** How many cycles of queries it took until each open payment had a response; a busy machine's providers are slow. */
  cycles: number;
  /** What went wrong on the way, and how often. */
  onTheWay: Record<string, number>;
  unexpectedAnswers: string[];
  faults: string[];
}

interface GatewayKillRounds {
  kills: number;
  paymentsBetween: number;
  /**
   * Whether this process does the background work instead of a worker, and serves at the API's address once that was killed. Then there is
   * one kill: starting programs takes longer than the rest of a short run.
   */
  takesOver?: boolean;
}

const amount = { amount_minor: 4_200, currency: "EUR" };

/**
 * Three providers behind bad connections, and an installation that processes share: one reports in full, one sends callbacks that only
 * hint, one waits until its money is requested.
 */
export async function gatewayKillWorld(): Promise<{ app: TestApp; providers: FaultyProvider[] }> {
  const providers = await Promise.all([stripe, mollie, paypal].map(startFaultyProvider));
  const app = await testApp({
    startsAt: new Date().toISOString(),
    gateways: { adapters: providers.map(({ adapter }) => adapter), urls: providers.map(urlOf) },
    http: { perMinuteTest: 1_000_000, burst: 5_000 },
  });
  return { app, providers };
}

const urlOf = ({ simulator, url }: FaultyProvider) => `${simulator.slug}.test=${url}`;

/**
 * Starts, pays, cancels and changes payments through providers that lose responses, while the API process and the worker are killed in
 * turn; then lets one cycle of queries pass and compares the books with what the providers know.
 */
export async function gatewayKillRounds(
  world: Awaited<ReturnType<typeof gatewayKillWorld>>,
  given: GatewayKillRounds,
): Promise<GatewayKillReport> {
  const { app, providers } = world;
  app.clock.run();
  const folder = temporaryFolder();
  const env = await environmentOf(providers, folder.path);
  const api = await startApi(app.url, env);
  const worker = given.takesOver === true ? null : await startWorker(app.url, { ...env, PUBLIC_URL: api.url });
  const work = given.takesOver === true ? await workHere(app, api) : null;
  const shop = await app.tenant({ currency: amount.currency });
  let buyers: Buyers | null = null;
  try {
    for (const provider of providers) {
      const id = await enterAccount(app, shop, provider);
      await provider.enterCallbackUrl(`${api.url}/api/payments/${provider.simulator.slug}/webhook/${id}`);
    }
    buyers = startBuyers({ port: Number(new URL(api.url).port), project_id: shop.project_id, key: shop.key, providers, ...amount });
    for (let kill = 0; kill < given.kills; kill += 1) {
      await buyers.more(given.paymentsBetween * (0.5 + Math.random()));
      // A worker's death costs the minute of its leases, so a short run has none.
      if (worker === null) await takeOver(app, api);
      else await (kill % 3 === 2 ? worker : api).killAndRestart();
    }
    await buyers.stop();
    for (const provider of providers) provider.calm();
    const before = await listBookedPayments(app.ctx.db, shop);
    const cycles = await pollUntilAnswered(app, shop);
    const after = await listBookedPayments(app.ctx.db, shop);
    const found = await compare(app, { providers, payments: after, buyers });
    return {
      kills: given.kills,
      started: buyers.started,
      ...found,
      foundLate: booked(after) - booked(before),
      cycles,
      onTheWay: onTheWay(providers),
      unexpectedAnswers: buyers.unexpectedAnswers,
    };
  } finally {
    await buyers?.stop();
    await Promise.all([api.stop(), worker?.stop(), work?.stop()]);
    await Promise.all(providers.map((provider) => provider.close()));
    folder.remove();
  }
}

/** Does a worker's work, and has a server ready, with the API's address. */
async function workHere(app: TestApp, { url }: ApiProcess): Promise<Workers> {
  Object.assign(app.ctx, { publicUrl: url });
  await app.server();
  return startWorkers(app.ctx);
}

/** Kills the API and serves in its place. */
async function takeOver(app: TestApp, api: ApiProcess): Promise<void> {
  await api.stop();
  await (await app.server()).listen({ port: Number(new URL(api.url).port), host: "127.0.0.1" });
}

const maxCycles = 10;

/** Lets cycles of queries pass until each open payment's provider has responded; returns how many it took. */
async function pollUntilAnswered({ ctx }: TestApp, shop: Tenant): Promise<number> {
  for (let cycle = 1; cycle <= maxCycles; cycle += 1) {
    const since = await findNow(ctx.db);
    await updateOneCycle(ctx.db, shop);
    await eventually("a cycle of questions", async () => (await countOfCycle(ctx.db, shop)) === 0, { everyMs: 100, withinMs: 900_000 });
    if ((await countUnanswered(ctx.db, shop, since)) === 0) return cycle;
  }
  throw new Error(`after ${maxCycles} cycles of queries, some payments still have no response from their provider`);
}

/** A provider's own authorities are those of its simulator here. */
async function environmentOf(providers: readonly FaultyProvider[], folder: string): Promise<Record<string, string>> {
  const roots = (await Promise.all(providers.map((provider) => provider.roots()))).flat();
  const file = join(folder, "roots.pem");
  writeFileSync(file, roots.join("\n"));
  return { GATEWAY_URLS: providers.map(urlOf).join(","), NODE_EXTRA_CA_CERTS: file, LOG_LEVEL: "fatal" };
}

/** Over a bad connection, the first attempt may fail. */
async function enterAccount({ ctx }: TestApp, tenant: Tenant, { simulator, fields }: FaultyProvider): Promise<string> {
  let entered: string | null = null;
  await eventually(`an account with ${simulator.slug}`, async () => {
    entered = await createCredential(ctx, tenant, { gateway: simulator.slug, fields }).then(
      ({ id }) => id,
      () => null,
    );
    return entered !== null;
  });
  return entered ?? "";
}

const booked = (payments: readonly BookedPayment[]) => payments.reduce((sum, { received }) => sum + received, 0);

function onTheWay(providers: readonly FaultyProvider[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const { faults } of providers) for (const [fault, count] of faults) sum[fault] = (sum[fault] ?? 0) + count;
  return sum;
}

interface Known extends BookedPayment {
  provider: FaultyProvider;
  truth: PaymentSnapshot | null;
}

async function compare(app: TestApp, given: { providers: readonly FaultyProvider[]; payments: readonly BookedPayment[]; buyers: Buyers }) {
  const { providers, payments, buyers } = given;
  const faults: string[] = [...(await auditBooks(app.ctx)).map(String), ...(await auditLedger(app.ctx)).faults.map(String)];
  const known: Known[] = [];
  for (const payment of payments) {
    const provider = providers.find(({ simulator }) => simulator.slug === payment.gateway) as FaultyProvider;
    known.push({ ...payment, provider, truth: await provider.truthOf({ reference: payment.session_id, providerId: payment.provider_id }) });
  }
  for (const one of known) faults.push(...faultsOfPayment(one, buyers));
  for (const [order_id, ones] of Map.groupBy(known, (one) => one.order_id)) faults.push(...faultsOfOrder(order_id, ones));
  return { taken: known.filter(isTaken).length, faults };
}

function isTaken({ truth }: Known): boolean {
  return truth?.state === "succeeded";
}

/**
 * Money that the provider took is in the books once, with its amount; what it didn't take isn't in them; and what is over here can't be
 * paid there.
 */
function faultsOfPayment(one: Known, buyers: Buyers): string[] {
  const { session_id, session_status, gateway, provider, truth, received, received_minor } = one;
  const name = `${gateway} ${session_id} (${session_status}, at the provider ${truth?.state ?? "unknown"})`;
  const faults: string[] = [];
  if (isTaken(one) && (received !== 1 || received_minor !== truth?.paid?.amount_minor))
    faults.push(`${name} is booked ${received} times with ${received_minor}`);
  if (!isTaken(one) && received > 0) faults.push(`${name} is booked and was never taken`);
  if (buyers.paid.has(session_id) && provider.closes && !isTaken(one)) faults.push(`${name} was paid`);
  const isOver = ["succeeded", "failed", "expired", "canceled"].includes(session_status);
  if (isOver && provider.closes && truth?.state === "pending") faults.push(`${name} can still be paid`);
  return faults;
}

/** An order is paid once, whatever was taken for it; the rest waits for a person. */
function faultsOfOrder(order_id: string, ones: readonly Known[]): string[] {
  const [first] = ones as [Known];
  const taken = ones.filter(isTaken).length;
  const { order_status, amount_minor, amount_received_minor, booked_minor, paid_events, exceptions } = first;
  const isPaid = order_status === "paid";
  const faults: string[] = [];
  if (taken > 0 && !isPaid && order_status !== "canceled") faults.push(`${order_id} is ${order_status} and ${taken} payments were taken`);
  if (taken === 0 && isPaid) faults.push(`${order_id} is paid and nothing was taken`);
  const wanted = isPaid ? amount_minor : 0;
  if (amount_received_minor !== wanted || booked_minor !== wanted)
    faults.push(`${order_id} is ${order_status} with ${amount_received_minor}, booked ${booked_minor}`);
  if (paid_events !== (isPaid ? 1 : 0)) faults.push(`${order_id} is ${order_status} and was told as paid ${paid_events} times`);
  const cases = isPaid ? taken - 1 : taken;
  if (exceptions.length !== Math.max(0, cases))
    faults.push(`${order_id} is ${order_status}, ${taken} payments were taken, cases: ${exceptions.join(", ") || "none"}`);
  return faults;
}
