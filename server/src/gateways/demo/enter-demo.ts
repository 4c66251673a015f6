import type { Ctx, Tx } from "#platform/index.ts";
import { randomToken } from "../simulator/open-world.ts";
import type { ProviderSimulator, SimulatedCallback, SimulatorDocuments, SimulatorWorld } from "../simulator/simulator.ts";
import { type DemoPlace, deleteExcessDocuments, findDemoDocument, insertDemoDocument, listDemoDocuments, lockDemo } from "./documents.sql.ts";

/** What one simulated provider remembers at most besides its account; some hundred payments. */
const documentsKept = 5_000;

/** Where a demo account's provider and its pages are reached; also its API, though nobody but this program reaches that. */
export function demoOrigin({ publicUrl }: Pick<Ctx, "publicUrl">, { id }: { id: string }): string {
  return `${publicUrl}/simulator/${id}`;
}

/** What came of a piece of work at a simulated provider, and the callbacks that it sent meanwhile. `error`: what the simulator threw, such as a connection that ended. */
export type Entered<T> = { callbacks: SimulatedCallback[] } & ({ value: T; error: null } | { error: Error });

/**
 * Works at a demo account's simulated provider: one piece of work at a time, over all processes. What the provider remembers is committed also where the simulator throws,
 * because an answer can be lost after the request was carried out. Throws for an account that is no demo account in TEST.
 */
export async function enterDemo<T>(ctx: Ctx, place: DemoPlace, work: (simulator: ProviderSimulator, world: SimulatorWorld) => Promise<T>): Promise<Entered<T>> {
  const simulator = await findSimulator(ctx, place);
  return ctx.transactUnclaimed(async (tx) => {
    if (place.livemode || !(await lockDemo(tx, place))) throw new Error("this is no demo account");
    const entered = openWorldIn(tx, ctx, place);
    const came = await work(simulator, entered.world).then(
      (value) => ({ value, error: null }),
      (error: unknown) => ({ error: error instanceof Error ? error : new Error(String(error)) }),
    );
    if (entered.broken !== null) throw entered.broken.error;
    if (entered.added) await deleteExcessDocuments(tx, place, documentsKept);
    return { callbacks: entered.callbacks, ...came };
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
  added: boolean;
  /** Why the database didn't do what a document wanted: then nothing of the transaction stands, whatever the simulator makes of it. */
  broken: { error: unknown } | null;
}

function openWorldIn(tx: Tx, ctx: Ctx, place: DemoPlace): OpenWorld {
  const callbacks: SimulatedCallback[] = [];
  const open: OpenWorld = {
    callbacks,
    added: false,
    broken: null,
    world: { origin: demoOrigin(ctx, place), now: ctx.now, token: randomToken, documents: documentsIn(), send },
  };
  return open;

  async function send(callback: SimulatedCallback): Promise<void> {
    callbacks.push(callback);
  }

  function noting<T>(asked: Promise<T>): Promise<T> {
    return asked.catch((error: unknown) => {
      open.broken ??= { error };
      throw error;
    });
  }

  function documentsIn(): SimulatorDocuments {
    return {
      async get(kind, key) {
        const text = await noting(findDemoDocument(tx, place, { kind, key }));
        return text === null ? null : JSON.parse(text);
      },
      async put(kind, key, value) {
        open.added = true;
        await noting(insertDemoDocument(tx, place, { kind, key, value: JSON.stringify(value), lasting: false }));
      },
      list: async (kind) => (await noting(listDemoDocuments(tx, place, kind))).map((text) => JSON.parse(text)),
    };
  }
}
