import { gateways } from "#app/gateways.ts";
import {
  type Credential,
  callbackUrl,
  createCredential,
  type GatewayAccount,
  type GatewayAdapter,
  type GatewayAmount,
  type GatewayCall,
  type OwnWorld,
  openWorld,
  type ProviderSimulator,
  type SimulatedCallback,
  type SimulatorWorld,
} from "#gateways/index.ts";
import { createOrder, type OrderRow, type SessionRow, startPayment } from "#orders/index.ts";
import type { Egress } from "#platform/create-egress.ts";
import type { Answer } from "#test/support/app/api.ts";
import { type TenantOptions, type TestApp, type TestAppOptions, type TestTenant, testApp } from "#test/support/app/test-app.ts";
import type { Posted } from "./forgeries.ts";
import { factsOf, type ProviderFacts } from "./provider-facts.ts";

/** A provider's own side, played in this process: Tillpost's calls reach it, and its callbacks are held here until the test sends them. */
export interface SimulatedProvider {
  slug: string;
  adapter: GatewayAdapter;
  simulator: ProviderSimulator;
  facts: ProviderFacts;
  /** An amount that the gateway takes, whose digits don't occur in an id by chance. */
  amount: GatewayAmount;
  enter: OwnWorld["enter"];
  sent: SimulatedCallback[];
  /** Rewrites what the provider remembers of payments whenever it is read; null leaves it unchanged. */
  rewrite: ((text: string) => string) | null;
  /** Saves everything that the provider remembers; the returned function restores it. */
  snapshot(): () => void;
}

/** An app whose egress leads only to the simulators of all gateways. */
export async function simulatedApp(
  options: TestAppOptions = {},
): Promise<{ app: TestApp; providers: SimulatedProvider[]; of(slug: string): SimulatedProvider }> {
  const clock: { now: () => Date } = { now: () => new Date(0) };
  const providers = await Promise.all(gateways.map((adapter) => simulate(adapter, () => clock.now())));
  const urls = providers.flatMap(({ slug, adapter }) => (adapter.manifest.hosts === null ? [] : [`${slug}=${originOf(slug)}`]));
  const adapters = providers.map(({ adapter }) => adapter);
  const app = await testApp({
    // Some providers get no callback address on this machine.
    publicUrl: "https://pay.shop.test",
    ...options,
    gateways: { adapters, urls },
    egress: egressTo(providers),
    http: { perMinuteUnauthenticated: 10_000_000, ...options.http },
  });
  clock.now = () => app.clock.now();
  return {
    app,
    providers,
    of(slug) {
      const found = providers.find((one) => one.slug === slug);
      if (found === undefined) throw new Error(`there is no provider ${slug}`);
      return found;
    },
  };
}

function originOf(slug: string): string {
  return `https://${slug.replaceAll("_", "-")}.simulator.test`;
}

async function simulate(adapter: GatewayAdapter, now: () => Date): Promise<SimulatedProvider> {
  const simulator = await adapter.simulator();
  const { slug } = simulator;
  const facts = await factsOf(slug);
  const sent: SimulatedCallback[] = [];
  const memory: Memory = { documents: new Map(), keys: 0 };
  const provider: SimulatedProvider = {
    ...{ slug, simulator, sent, facts, amount: { ...facts.amount, amount_minor: 987_654 }, rewrite: null },
    adapter: trusting(adapter, () => world.enter(async (inner) => (await simulator.roots?.(inner)) ?? null)),
    enter: (work) => world.enter(work),
    snapshot() {
      const before = new Map(memory.documents);
      return () => void (memory.documents = new Map(before));
    },
  };
  const documents = documentsOf(memory, provider);
  const world = openWorld({ origin: originOf(slug), now, documents, send: async (callback) => void sent.push(callback) });
  return provider;
}

/** What a provider remembers, as JSON, by kind and key. */
interface Memory {
  documents: Map<string, { kind: string; text: string }>;
  /** How many keys its merchants have. */
  keys: number;
}

/**
 * The keys of WeChat Pay's merchants in this process: making one takes longer than most tests, so merchants get those of three in turn,
 * more than meet in one test.
 */
const madeKeys: string[] = [];
const mostKeys = 9;

function documentsOf(memory: Memory, provider: SimulatedProvider): SimulatorWorld["documents"] {
  const read = ({ kind, text }: { kind: string; text: string }) =>
    JSON.parse(provider.rewrite === null || ownKinds.has(kind) ? text : provider.rewrite(text));
  const isMade = (kind: string) => kind === "key" && provider.slug === "wechatpay_merchant";
  return {
    async get(kind, key) {
      const found = memory.documents.get(`${kind} ${key}`);
      if (found !== undefined) return read(found);
      const text = isMade(kind) ? madeKeys[memory.keys++ % mostKeys] : undefined;
      if (text === undefined) return null;
      memory.documents.set(`${kind} ${key}`, { kind, text });
      return JSON.parse(text);
    },
    async put(kind, key, value) {
      const text = JSON.stringify(value);
      memory.documents.set(`${kind} ${key}`, { kind, text });
      if (isMade(kind)) madeKeys.push(text);
    },
    list: async (kind) => [...memory.documents.values()].filter((one) => one.kind === kind).map(read),
  };
}

/** What a provider knows of its merchants and of itself is never rewritten. */
const ownKinds = new Set([
  "account",
  "store",
  "profile",
  "merchant",
  "app",
  "key",
  "signer",
  "certificate",
  "certificates",
  "token",
  "ticket",
  "request",
  "fault",
]);

/** An adapter that trusts its simulator's own authorities, if it has some. */
export function trusting(adapter: GatewayAdapter, roots: () => Promise<readonly string[] | null>): GatewayAdapter {
  return {
    ...adapter,
    open(fields, given) {
      const account = adapter.open(fields, given);
      return {
        ...account,
        verify: (call, callback) => account.verify({ ...call, roots: async () => (await roots()) ?? (await call.roots()) }, callback),
      };
    },
  };
}

function egressTo(providers: readonly SimulatedProvider[]): Egress {
  return {
    check: async () => {},
    close: async () => {},
    async request({ url, method, headers, body }) {
      const provider = providers.find(({ slug }) => url.startsWith(`${originOf(slug)}/`));
      if (provider === undefined) return { status: null, error_code: "dns", duration_ms: 0, head: null, sent: false };
      try {
        const request = new Request(url, { method, headers, ...(body === undefined ? {} : { body: new Uint8Array(body) }) });
        const answer = await provider.enter((world) => provider.simulator.handle(world, request));
        const bytes = Buffer.from(await answer.arrayBuffer());
        return {
          status: answer.status,
          headers: Object.fromEntries(answer.headers),
          body: bytes,
          truncated: false,
          duration_ms: 1,
          error_code: null,
        };
      } catch (error) {
        const { code } = ((error as Error).cause ?? {}) as { code?: string };
        return { status: null, error_code: "connection_reset", duration_ms: 1, head: null, sent: code !== "ECONNREFUSED" };
      }
    },
  };
}

/** A project with an account at a simulated provider, to which callbacks are sent manually. */
export interface SimulatedShop {
  tenant: TestTenant;
  provider: SimulatedProvider;
  credential: Credential;
  /** Whether money is taken only once we request it, and only as much as was due: any extra that a buyer approved returns to them. */
  isTaken: boolean;
  /** An order with an open payment through the gateway. */
  started(): Promise<{ order: OrderRow; session: SessionRow }>;
  /** What the provider would send now about the newest change of a payment. */
  callbackOf(reference: string): Promise<SimulatedCallback>;
  /** The same for a payment that someone creates at the provider directly, in this account under any reference, and pays. */
  callbackOfPaid(reference: string): Promise<SimulatedCallback>;
}

export interface ShopChoice extends TenantOptions {
  provider: SimulatedProvider;
  /** Name of the account at the provider. */
  account: string;
}

export async function simulatedShop(app: TestApp, { provider, account, ...options }: ShopChoice): Promise<SimulatedShop> {
  const { slug, simulator, amount, enter } = provider;
  const tenant = await app.tenant({ currency: amount.currency, ...options });
  const fields = await enter((world) => simulator.openAccount(world, account));
  const credential = await createCredential(app.ctx, tenant, { gateway: slug, fields });
  await enter(async (world) => simulator.enterCallbackUrl?.(world, { account, url: callbackUrl(app.ctx, credential) }));
  const callbackOf = (reference: string) => enter((world) => simulator.callbackOf(world, reference));
  const opened = provider.adapter.open(fields, { livemode: tenant.livemode });
  return {
    ...{ tenant, provider, credential, callbackOf, isTaken: opened.capture !== null },
    async callbackOfPaid(reference) {
      await opened.create(callOf(app, provider, opened), {
        ...{ reference, amount, title: "Tea", metadata: {}, buyer: { ip: "203.0.113.7", locale: "en", device: "desktop", openid: null } },
        ...{ notifyUrl: callbackUrl(app.ctx, credential), returnUrl: "https://shop.test/back", cancelUrl: "https://shop.test/back" },
        expiresAt: new Date(app.clock.now().getTime() + 3_600_000),
      });
      await enter((world) => simulator.simulate(world, { reference, outcome: "paid" }));
      return callbackOf(reference);
    },
    async started() {
      const { order } = await createOrder(app.ctx, tenant, { ...amount });
      const { session } = await startPayment(app.ctx, tenant, { order_id: order.id, gateway: slug });
      return { order, session };
    },
  };
}

function callOf(app: TestApp, { slug, simulator, enter }: SimulatedProvider, account: GatewayAccount): GatewayCall {
  return {
    baseUrl: account.baseUrl ?? originOf(slug),
    now: () => app.clock.now(),
    nonce: () => "0123456789abcdef0123456789abcdef",
    roots: async () => [],
    cache: { get: () => null, set: () => {} },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      return enter((world) => simulator.handle(world, request));
    },
  };
}

/** Posts a callback to its URL. */
export function post(app: TestApp, { url, headers, body }: Posted, method = "POST"): Promise<Answer> {
  const { pathname, search } = new URL(url);
  return app.api().call(method, `${pathname}${search}`, { headers, ...(method === "GET" ? {} : { payload: body }) });
}
