import { randomBytes } from "node:crypto";
import {
  type GatewayCall,
  memoryDocuments,
  type ProviderSimulator,
  type RawCallback,
  type SimulatedCallback,
  type SimulatorWorld,
} from "#gateways/index.ts";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A provider inside this test: what it remembers, what it has sent, and a clock that only the test moves. */
export interface SimulatedWorld extends SimulatorWorld {
  /** Callbacks in the order in which they were sent. */
  readonly sent: SimulatedCallback[];
  /** Advances the clock of the provider and its callers. */
  pass(seconds: number): void;
  /** A call as an account's adapter gets it: its `fetch` reaches only the simulator. */
  call(simulator: ProviderSimulator): GatewayCall;
}

/** Creates a provider's world that begins at `start`. */
export function simulatedWorld(start = new Date("2026-11-20T08:00:00.000Z")): SimulatedWorld {
  let at = start.getTime();
  const sent: SimulatedCallback[] = [];
  const world: SimulatedWorld = {
    origin: "https://simulator.test",
    sent,
    documents: memoryDocuments(),
    now: () => new Date(at),
    token: (length) => Array.from(randomBytes(length), (byte) => alphabet.charAt(byte % alphabet.length)).join(""),
    async send(callback) {
      sent.push(callback);
    },
    pass(seconds) {
      at += seconds * 1_000;
    },
    call: (simulator) => ({
      baseUrl: world.origin,
      now: world.now,
      nonce: () => randomBytes(16).toString("hex"),
      roots: async () => (await simulator.roots?.(world)) ?? [],
      cache: memoryCache(world.now),
      fetch: (input, init) => simulator.handle(world, new Request(input, init)),
    }),
  };
  return world;
}

/** A simulator's callback as the callback route would receive it. */
export function received(callback: Pick<SimulatedCallback, "url" | "headers" | "body">, receivedAt: Date): RawCallback {
  const { pathname, search } = new URL(callback.url);
  const headers = Object.fromEntries(Object.entries(callback.headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { method: "POST", path: `${pathname}${search}`, headers, body: Buffer.from(callback.body), receivedAt };
}

function memoryCache(now: () => Date): GatewayCall["cache"] {
  const cache = new Map<string, { value: string; until: number }>();
  return {
    get(key) {
      const found = cache.get(key);
      return found === undefined || found.until <= now().getTime() ? null : found.value;
    },
    set(key, value, seconds) {
      cache.set(key, { value, until: now().getTime() + seconds * 1_000 });
    },
  };
}
