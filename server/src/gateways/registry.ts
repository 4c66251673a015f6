import { setTimeout as sleep } from "node:timers/promises";
import type { Ctx } from "#platform/index.ts";
import type { CallbackAnswer, RawCallback } from "./callback-port.ts";
import type { GatewayErrorKind } from "./gateway-error.ts";
import type { GatewayAdapter } from "./port.ts";

/** The purpose of a call to a provider. `verify` reads a callback and seldom sends a request; `identify` identifies a buyer. */
export const gatewayVerbs = [
  "check",
  "create",
  "query",
  "capture",
  "close",
  "refund",
  "query_refund",
  "list_settled",
  "verify",
  "identify",
] as const;
export type GatewayVerb = (typeof gatewayVerbs)[number];

/** The kinds of a call's failure. */
export const gatewayErrorKinds = Object.keys({
  declined: true,
  not_found: true,
  conflict: true,
  already_paid: true,
  auth: true,
  rate_limited: true,
  invalid: true,
  unavailable: true,
  unknown_outcome: true,
} satisfies Record<GatewayErrorKind, true>) as GatewayErrorKind[];

/** One attempt of a call, for metrics. */
export interface ObservedCall {
  gateway: string;
  verb: GatewayVerb;
  outcome: "succeeded" | GatewayErrorKind;
  seconds: number;
}

/** The gateways of this installation. */
export interface Gateways {
  readonly all: readonly GatewayAdapter[];
  /** The adapter with a gateway's name; null if there is none. */
  find(gateway: string): GatewayAdapter | null;
  /** The address of a provider's API: the operator's, otherwise the provider's own; null if each merchant enters it. */
  hostOf(gateway: string, livemode: boolean): string | null;
  /** Called for every attempt of a call in this process; call the returned function to stop. */
  onCall(listener: (call: ObservedCall) => void): () => void;
  observe(call: ObservedCall): void;
  /** Waits before a call is repeated. */
  wait(ms: number): Promise<void>;
  /** Whether a gateway without an account in TEST is simulated as soon as a payment uses it. */
  readonly offersDemo: boolean;
  /** Receives a callback through the same route as real ones; null if it matches no account. Simulated providers in demo mode use it. */
  deliver(ctx: Ctx, callback: DeliveredCallback): Promise<CallbackAnswer | null>;
  /** Tracks work that no caller awaits until it has ended; it must not reject. */
  keep(work: Promise<void>): void;
  /** Resolves once nothing is tracked: before the database is closed. */
  idle(): Promise<void>;
}

/** A callback for one account. */
export interface DeliveredCallback {
  gateway: string;
  credentialId: string;
  raw: RawCallback;
}

declare module "../platform/context.ts" {
  interface Ctx {
    /** The payment providers: one list for their accounts, their calls and their callbacks. */
    readonly gateways: Gateways;
  }
}

interface GatewayOptions {
  /** Other addresses of providers' APIs, each `<gateway>=<url>`, `<gateway>.test=<url>` or `<gateway>.live=<url>`. */
  urls?: readonly string[];
  wait?: Gateways["wait"];
  /** The receiver of demo accounts' callbacks; without it, no gateway is simulated automatically. */
  deliver?: Gateways["deliver"];
}

/** Creates the list. Throws for two adapters of one gateway, for a method with another name, and for addresses of unknown gateways. */
export function listGateways(all: readonly GatewayAdapter[], { urls = [], wait = pause, deliver = none }: GatewayOptions = {}): Gateways {
  const byName = new Map(all.map((adapter) => [adapter.manifest.method.gateway, adapter]));
  if (byName.size !== all.length) throw new Error("two adapters are of one gateway");
  for (const { manifest } of all) {
    const { name, gateway } = manifest.method;
    if (name !== gateway) throw new Error(`the method of the gateway ${gateway} is named ${name}`);
  }
  const others = readUrls(byName, urls);
  const listeners = new Set<(call: ObservedCall) => void>();
  const pending = new Set<Promise<void>>();
  return {
    all,
    find: (gateway) => byName.get(gateway) ?? null,
    hostOf(gateway, livemode) {
      const mode = livemode ? "live" : "test";
      const url = others.get(`${gateway}.${mode}`) ?? byName.get(gateway)?.manifest.hosts?.[mode];
      return url ?? null;
    },
    onCall(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    observe(call) {
      for (const listener of listeners) listener(call);
    },
    wait,
    offersDemo: deliver !== none,
    deliver,
    keep(work) {
      const ended = work.finally(() => pending.delete(ended));
      pending.add(ended);
    },
    async idle() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}

const none = async () => null;

function readUrls(known: ReadonlyMap<string, unknown>, urls: readonly string[]): Map<string, string> {
  const others = new Map<string, string>();
  for (const text of urls) {
    const [, gateway = "", mode, url = ""] = /^([a-z][a-z0-9_]*)(?:\.(test|live))?=(.+)$/.exec(text) ?? [];
    const { protocol, search = "", hash = "", username = "" } = URL.parse(url) ?? {};
    const isAddress = (protocol === "http:" || protocol === "https:") && search === "" && hash === "" && username === "";
    if (!known.has(gateway) || !isAddress) throw new Error(`${JSON.stringify(text)} is not the address of a gateway`);
    for (const one of mode === undefined ? ["test", "live"] : [mode])
      others.set(`${gateway}.${one}`, url.endsWith("/") ? url.slice(0, -1) : url);
  }
  return others;
}

/** A stopping process doesn't have to wait for it. */
async function pause(ms: number): Promise<void> {
  await sleep(ms, undefined, { ref: false });
}
