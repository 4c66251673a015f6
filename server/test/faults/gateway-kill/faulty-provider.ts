import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { serveSimulator } from "#app/simulator/serve-simulator.ts";
import type {
  GatewayAccount,
  GatewayAdapter,
  GatewayCall,
  PaymentKey,
  PaymentSnapshot,
  ProviderSimulator,
  SimulatedOutcome,
  SimulatedRefundOutcome,
  SimulatorWorld,
} from "#gateways/index.ts";
import { trusting } from "#test/support/gateways/contract/simulated-app.ts";
import { type ProviderRefund, providerRefunds } from "./provider-refunds.ts";

/**
 * Faults between a provider and its caller. `lost`: the request is carried out but the response is lost. `stalled`: no response arrives.
 * `slow`: the response arrives byte by byte.
 */
const wireFaults = ["refused", "lost", "stalled", "slow"] as const;
/** Errors of the provider itself: before it did anything, or after. */
const answerFaults = ["fails_before", "fails_after"] as const;
type Fault = (typeof wireFaults)[number] | (typeof answerFaults)[number];

/** Per hundred requests. */
const shares: Readonly<Record<Fault, number>> = { refused: 3, lost: 6, stalled: 1, slow: 8, fails_before: 3, fails_after: 4 };

/** A simulated provider behind a bad connection. It knows the truth, and repeats its callbacks every second. */
export interface FaultyProvider {
  /** Trusts the provider's own authorities. */
  adapter: GatewayAdapter;
  simulator: ProviderSimulator;
  /** The address that Tillpost calls. */
  url: string;
  /** The currency of orders that are first paid through it. */
  currency: string;
  fields: Record<string, string>;
  /** Whether payments can be closed; otherwise late money arrives as late, or is never taken. */
  closes: boolean;
  /** How often each fault occurred. */
  faults: Map<Fault, number>;
  simulate(reference: string, outcome: SimulatedOutcome): Promise<void>;
  enterCallbackUrl(url: string): Promise<void>;
  /** Its own certificate authorities, in PEM. */
  roots(): Promise<readonly string[]>;
  /** A payment's state, queried without the bad connection; null for one that it doesn't know. */
  truthOf(key: PaymentKey): Promise<PaymentSnapshot | null>;
  /** Its own records of refunds. */
  refunds(): Promise<ProviderRefund[]>;
  /** Decides a waiting refund, or lets the buyer claim it; false if it isn't waiting. */
  decideRefund(refundReference: string, outcome: SimulatedRefundOutcome): Promise<boolean>;
  /** Stops all faults. */
  calm(): void;
  close(): Promise<void>;
}

interface State {
  isCalm: boolean;
  faults: FaultyProvider["faults"];
  /** How many requests about a payment will still fail after they were carried out, by its reference. */
  unlucky: Map<string, number>;
}

/** Per hundred payments: every attempt of their first call is carried out, and all responses are lost. */
const unluckyShare = 8;
/** As many times as a call is tried. */
const triesOfCall = 3;

export async function startFaultyProvider(adapter: GatewayAdapter, currency: string): Promise<FaultyProvider> {
  const state: State = { isCalm: false, faults: new Map(), unlucky: new Map() };
  const plain = await adapter.simulator();
  const simulator: ProviderSimulator = {
    ...plain,
    handle: async (world, request) => {
      const [reference] = /ps_[0-9a-z]{26}/.exec(await request.clone().text()) ?? [];
      return answerBadly(state, reference, () => plain.handle(hurried(world), request));
    },
  };
  const served = await serveSimulator(simulator, { port: 0, now: () => new Date(), log: () => {} });
  const wire = await startWire(state, Number(new URL(served.origin).port));
  const url = `http://127.0.0.1:${wire.port}`;
  const opened = await served.world.enter((world) => plain.openAccount(world, "shop"));
  const fields = adapter.manifest.hosts === null ? { ...opened, base_url: url } : opened;
  const account = adapter.open(fields, { livemode: false });
  const inner = (world: SimulatorWorld) => ({ plain, account, world });
  const trusted = trusting(adapter, () => served.world.enter(async (world) => (await plain.roots?.(world)) ?? null));
  return {
    ...{ adapter: trusted, simulator: plain, fields, closes: account.close !== null, faults: state.faults },
    ...{ url, currency },
    simulate: (reference, outcome) =>
      served.world.enter(async (world) => {
        // WeChat Pay's simulator ignores what a payment's state doesn't allow.
        const isIgnored =
          plain.slug === "wechatpay_merchant" && (await query(inner(world), { reference, providerId: null }))?.state !== "pending";
        if (isIgnored) throw new Error("the payment is over");
        await plain.simulate(hurried(world), { reference, outcome });
      }),
    enterCallbackUrl: (url) => served.world.enter(async (world) => plain.enterCallbackUrl?.(world, { account: "shop", url })),
    roots: () => served.world.enter(async (world) => (await plain.roots?.(world)) ?? []),
    truthOf: (key) => served.world.enter((world) => query(inner(world), key)),
    refunds: () => served.world.enter((world) => providerRefunds(plain.slug, world)),
    decideRefund: (refundReference, outcome) =>
      served.world.enter(async (world) => {
        const isWaiting = (await providerRefunds(plain.slug, world)).some(
          (one) => one.reference === refundReference && one.state === "waiting",
        );
        if (isWaiting) await plain.simulateRefund(hurried(world), { refundReference, outcome });
        return isWaiting;
      }),
    calm: () => void (state.isCalm = true),
    async close() {
      await wire.close();
      await served.close();
    },
  };
}

/** Repeats callbacks every second instead of over hours. */
function hurried(world: SimulatorWorld): SimulatorWorld {
  return { ...world, send: (callback) => world.send({ ...callback, retrySeconds: Array.from({ length: 3_600 }, () => 1) }) };
}

function query({ plain, account, world }: { plain: ProviderSimulator; account: GatewayAccount; world: SimulatorWorld }, key: PaymentKey) {
  const call: GatewayCall = {
    baseUrl: world.origin,
    now: () => new Date(),
    nonce: () => "0".repeat(32),
    roots: async () => [],
    cache: { get: () => null, set: () => {} },
    fetch: async (input, init) => plain.handle(world, new Request(input, init)),
  };
  return account.query(call, key).catch((error: { kind?: string }) => {
    if (error.kind === "not_found") return null;
    throw error;
  });
}

function chosen(state: State, among: readonly Fault[]): Fault | null {
  if (state.isCalm) return null;
  let draw = Math.random() * 100;
  for (const fault of among) {
    draw -= shares[fault];
    if (draw >= 0) continue;
    state.faults.set(fault, (state.faults.get(fault) ?? 0) + 1);
    return fault;
  }
  return null;
}

async function answerBadly(state: State, reference: string | undefined, answer: () => Promise<Response>): Promise<Response> {
  const fault = isUnlucky(state, reference) ? "fails_after" : chosen(state, answerFaults);
  if (fault !== "fails_before") {
    const good = await answer();
    if (fault === null) return good;
  }
  return new Response("<html><body>502 Bad Gateway</body></html>", { status: 502, headers: { "content-type": "text/html" } });
}

function isUnlucky({ isCalm, faults, unlucky }: State, reference: string | undefined): boolean {
  if (isCalm || reference === undefined) return false;
  const left = unlucky.get(reference) ?? (Math.random() * 100 < unluckyShare ? triesOfCall : 0);
  unlucky.set(reference, Math.max(0, left - 1));
  if (left > 0) faults.set("fails_after", (faults.get("fails_after") ?? 0) + 1);
  return left > 0;
}

/** Forwards bytes to a port of this machine, with occasional faults. */
async function startWire(state: State, target: number): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((caller) => {
    const provider = connect(target, "127.0.0.1");
    for (const socket of [caller, provider]) {
      sockets.add(socket);
      socket.setNoDelay(true).on("error", () => {});
      socket.once("close", () => {
        sockets.delete(socket);
        caller.destroy();
        provider.destroy();
      });
    }
    carry(state, caller, provider);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** One exchange after the other; each one's fault is drawn when its request begins. */
function carry(state: State, caller: Socket, provider: Socket): void {
  let fault: Fault | null = null;
  let isAnswered = true;
  let written = Promise.resolve();
  caller.on("data", (bytes) => {
    if (isAnswered) fault = chosen(state, wireFaults);
    isAnswered = false;
    if (fault === "refused") return caller.destroy();
    provider.write(bytes);
  });
  provider.on("data", (bytes: Buffer) => {
    isAnswered = true;
    if (fault === "lost") return caller.destroy();
    if (fault === "stalled") return;
    if (fault === "slow") written = written.then(() => dribble(caller, bytes));
    else written = written.then(() => void caller.write(bytes));
  });
}

async function dribble(to: Socket, bytes: Buffer): Promise<void> {
  const size = Math.max(1, Math.ceil(bytes.length / 20));
  for (let at = 0; at < bytes.length && !to.destroyed; at += size) {
    to.write(bytes.subarray(at, at + size));
    await pause(5);
  }
}
