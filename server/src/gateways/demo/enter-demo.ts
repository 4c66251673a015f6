import type { Ctx, Tx } from "#platform/index.ts";
import { randomToken } from "../simulator/open-world.ts";
import type { ProviderSimulator, SimulatedCallback, SimulatorDocuments, SimulatorWorld } from "../simulator/simulator.ts";
import {
  type DemoPlace,
  deleteExcessDocuments,
  findDemoDocument,
  insertDemoDocument,
  listDemoDocuments,
  lockDemo,
} from "./documents.sql.ts";

/** The maximum number of documents of one simulated provider in addition to its account; about a hundred payments. */
const documentsMax = 5_000;

/** The address of a demo account's provider and its pages; also of its API, which only this program can reach. */
export function demoOrigin({ publicUrl }: Pick<Ctx, "publicUrl">, { id }: { id: string }): string {
  return `${publicUrl}/simulator/${id}`;
}

/**
 * The result of an operation of a simulated provider, and the callbacks that it sent. `error`: what the simulator threw, such as a closed
 * connection.
 */
export type Entered<T> = { callbacks: SimulatedCallback[] } & ({ value: T; error: null } | { error: Error });

/**
 * Runs an operation of a demo account's simulated provider: one at a time, over all processes. Its documents are committed even if the
 * simulator throws, because a response can be lost after the request was carried out. Throws for an account that isn't a demo account in
 * TEST.
 */
export async function enterDemo<T>(
  ctx: Ctx,
  place: DemoPlace,
  work: (simulator: ProviderSimulator, world: SimulatorWorld) => Promise<T>,
): Promise<Entered<T>> {
  const simulator = await findSimulator(ctx, place);
  return ctx.transactUnclaimed(async (tx) => {
    if (place.livemode || !(await lockDemo(tx, place))) throw new Error("this is no demo account");
    const entered = openWorldIn(tx, ctx, place);
    const result = await work(simulator, entered.world).then(
      (value) => ({ value, error: null }),
      (error: unknown) => ({ error: error instanceof Error ? error : new Error(String(error)) }),
    );
    if (entered.written) await deleteExcessDocuments(tx, place, documentsMax);
    return { callbacks: entered.callbacks, ...result };
  });
}

function findSimulator(ctx: Ctx, { gateway }: DemoPlace): Promise<ProviderSimulator> {
  const adapter = ctx.gateways.find(gateway);
  if (adapter === null) throw new Error("this gateway is not installed");
  return adapter.simulator();
}

interface OpenWorld {
  world: SimulatorWorld;
  callbacks: SimulatedCallback[];
  /** Whether a document was written. */
  written: boolean;
}

function openWorldIn(tx: Tx, ctx: Ctx, place: DemoPlace): OpenWorld {
  const callbacks: SimulatedCallback[] = [];
  const send = async (callback: SimulatedCallback) => void callbacks.push(callback);
  const documents: SimulatorDocuments = {
    async get(kind, key) {
      const text = await findDemoDocument(tx, place, { kind, key });
      return text === null ? null : JSON.parse(text);
    },
    async put(kind, key, value) {
      open.written = true;
      await insertDemoDocument(tx, place, { kind, key, value: JSON.stringify(value), lasting: false });
    },
    list: async (kind) => (await listDemoDocuments(tx, place, kind)).map((text) => JSON.parse(text)),
  };
  const open: OpenWorld = {
    callbacks,
    written: false,
    world: { origin: demoOrigin(ctx, place), now: ctx.now, token: randomToken, documents, send },
  };
  return open;
}
