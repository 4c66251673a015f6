import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCredential, type GatewayAdapter } from "#gateways/index.ts";
import { findNow, type Tenant } from "#platform/index.ts";
import { alipayMerchant } from "#providers/payment/alipay_merchant/adapter.ts";
import { btcpay } from "#providers/payment/btcpay/adapter.ts";
import { mollie } from "#providers/payment/mollie/adapter.ts";
import { paypal } from "#providers/payment/paypal/adapter.ts";
import { razorpay } from "#providers/payment/razorpay/adapter.ts";
import { stripe } from "#providers/payment/stripe/adapter.ts";
import { wechatpayMerchant } from "#providers/payment/wechatpay_merchant/adapter.ts";
import { type TestApp, testApp } from "#test/support/app/test-app.ts";
import { type ApiProcess, startApi, startWorker } from "#test/support/programs/api-processes.ts";
import { temporaryFolder } from "#test/support/programs/program.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { startWorkers, type Workers } from "#workers/index.ts";
import { type Buyers, startBuyers } from "./buyers.ts";
import { compareBooks } from "./compare-books.ts";
import { type FaultyProvider, startFaultyProvider } from "./faulty-provider.ts";
import {
  type BookedPayment,
  countLeased,
  countOfCycle,
  countUnanswered,
  listBookedPayments,
  listBookedRefunds,
  updateUnanswered,
} from "./kill.sql.ts";

/** Result of a run of kills. Every list contains violations. */
export interface GatewayKillReport {
  kills: number;
  started: number;
  /** Payments that the providers took money for. */
  taken: number;
  /** Of those, how many no callback or response had reported before the last cycle. */
  foundLate: number;
  /** Refunds that the merchant requested, and those that the providers paid out. */
  refunded: number;
  paidBack: number;
  /** How many rounds the one cycle of queries took; more than one only on a busy machine, see `pollOneCycle`. */
  rounds: number;
  /** What went wrong on the way, and how often. */
  onTheWay: Record<string, number>;
  unexpectedAnswers: string[];
  faults: string[];
}

export interface GatewayKillRounds {
  kills: number;
  paymentsBetween: number;
  /**
   * Whether this process does the background work instead of a worker, and serves at the API's address once that was killed. Then there is
   * one kill: starting programs takes longer than the rest of a short run.
   */
  takesOver?: boolean;
  /** Whether the merchant refunds what was paid. */
  refunds?: boolean;
}

const amount_minor = 4_200;
const inEuros = { currency: "EUR", adapters: [stripe, mollie, paypal] };

/**
 * Three providers: one reports in full, one sends callbacks that only hint, one waits until its money is requested. All of them know
 * repeated requests by a key.
 */
export const threeProviders = [inEuros];

/**
 * Every provider. BTCPay Server has no keys for repeats, and refunds that buyers claim; Alipay knows a payment once its buyer opened it,
 * and decides refunds at once; WeChat Pay's and Razorpay's refunds are decided later.
 */
export const everyProvider = [
  { ...inEuros, adapters: [...inEuros.adapters, btcpay] },
  { currency: "CNY", adapters: [alipayMerchant, wechatpayMerchant] },
  { currency: "INR", adapters: [razorpay] },
];

/** Providers behind bad connections, and an installation that processes share. */
export async function gatewayKillWorld(
  given: readonly { currency: string; adapters: readonly GatewayAdapter[] }[],
): Promise<{ app: TestApp; providers: FaultyProvider[] }> {
  const starting = given.flatMap(({ currency, adapters }) => adapters.map((adapter) => startFaultyProvider(adapter, currency)));
  const providers = await Promise.all(starting);
  const app = await testApp({
    startsAt: new Date().toISOString(),
    gateways: { adapters: providers.map(({ adapter }) => adapter), urls: providers.map(urlOf) },
    http: { perMinuteTest: 1_000_000, burst: 5_000 },
  });
  return { app, providers };
}

const urlOf = ({ simulator, url }: FaultyProvider) => `${simulator.slug}.test=${url}`;

/**
 * Starts, pays, cancels, changes and refunds payments through providers that lose responses, while the API process and the worker are
 * killed in turn; then lets one cycle of queries pass and compares the books with what the providers know.
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
  const shop = await app.tenant({ currency: "EUR" });
  let buyers: Buyers | null = null;
  try {
    for (const provider of providers) await enterAccount(app, shop, { provider, at: api.url });
    const { project_id, key } = shop;
    const port = Number(new URL(api.url).port);
    buyers = startBuyers({ port, project_id, key, providers, amount_minor, refunds: given.refunds === true });
    for (let kill = 0; kill < given.kills; kill += 1) {
      await buyers.more(given.paymentsBetween * (0.5 + Math.random()));
      // A worker's death costs the minute of its leases, so a short run has none.
      if (worker === null) await takeOver(app, api);
      else await (kill % 3 === 2 ? worker : api).killAndRestart();
    }
    await buyers.stop();
    for (const provider of providers) provider.calm();
    await decideHalf(providers);
    const before = await listBookedPayments(app.ctx.db, shop);
    const rounds = await pollOneCycle(app, shop);
    const after = await listBookedPayments(app.ctx.db, shop);
    const refunds = await listBookedRefunds(app.ctx.db, shop);
    const found = await compareBooks(app, { providers, payments: after, refunds, buyers });
    return {
      kills: given.kills,
      started: buyers.started,
      refunded: buyers.refunded,
      ...found,
      foundLate: booked(after) - booked(before),
      rounds,
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

/** Of the refunds that still wait, the providers decide every other one before the cycle: the others have to remain as they are. */
async function decideHalf(providers: readonly FaultyProvider[]): Promise<void> {
  for (const provider of providers) {
    const waiting = (await provider.refunds()).filter(({ state }) => state === "waiting");
    for (const [at, { reference }] of waiting.entries())
      if (at % 2 === 0 && reference !== null) await provider.decideRefund(reference, at % 10 === 0 ? "failed" : "succeeded");
  }
}

const maxRounds = 10;

/**
 * One cycle, after the queries of the time of faults have ended with whatever response: each open payment and refund gets one query that
 * its provider answers, and every waiting callback is applied. What no provider can answer stays as it is: refunds that it hasn't decided,
 * and payments whose request may still be on its way. Returns the rounds it took: a further round repeats only queries without an answer,
 * because the machine was too busy for the providers in this process to answer in time.
 */
async function pollOneCycle({ ctx }: TestApp, shop: Tenant): Promise<number> {
  const slow = { everyMs: 100, withinMs: 900_000 };
  await eventually("the end of what was underway", async () => (await countLeased(ctx.db, shop)) === 0, slow);
  const since = await findNow(ctx.db);
  for (let round = 1; round <= maxRounds; round += 1) {
    await updateUnanswered(ctx.db, shop, since);
    await eventually("a cycle of questions", async () => (await countOfCycle(ctx.db, shop)) === 0, slow);
    if ((await countUnanswered(ctx.db, shop, since)) === 0) return round;
  }
  throw new Error(`after ${maxRounds} rounds, some payments or refunds still have no answer from their provider`);
}

/** A provider's own authorities are those of its simulator here. */
async function environmentOf(providers: readonly FaultyProvider[], folder: string): Promise<Record<string, string>> {
  const roots = (await Promise.all(providers.map((provider) => provider.roots()))).flat();
  const file = join(folder, "roots.pem");
  writeFileSync(file, roots.join("\n"));
  return { GATEWAY_URLS: providers.map(urlOf).join(","), NODE_EXTRA_CA_CERTS: file, LOG_LEVEL: "fatal" };
}

/** With its callback address. Over a bad connection, the first attempt may fail. */
async function enterAccount({ ctx }: TestApp, tenant: Tenant, { provider, at }: { provider: FaultyProvider; at: string }): Promise<void> {
  const { simulator, fields } = provider;
  let entered: string | null = null;
  await eventually(`an account with ${simulator.slug}`, async () => {
    entered = await createCredential(ctx, tenant, { gateway: simulator.slug, fields }).then(
      ({ id }) => id,
      () => null,
    );
    return entered !== null;
  });
  await provider.enterCallbackUrl(`${at}/api/payments/${simulator.slug}/webhook/${entered}`);
}

const booked = (payments: readonly BookedPayment[]) => payments.reduce((sum, { received }) => sum + received, 0);

function onTheWay(providers: readonly FaultyProvider[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const { faults } of providers) for (const [fault, count] of faults) sum[fault] = (sum[fault] ?? 0) + count;
  return sum;
}
