import type { Ctx } from "#platform/index.ts";
import type { GatewayAdapter } from "../port.ts";
import { callbackUrl } from "../rows/callback-url.ts";
import { memoryDocuments } from "../simulator/memory-documents.ts";
import { randomToken } from "../simulator/open-world.ts";
import type { SimulatedCallback, SimulatorDocuments, SimulatorWorld } from "../simulator/simulator.ts";
import type { DemoDocument } from "./documents.sql.ts";
import { demoOrigin } from "./enter-demo.ts";

/** The fields that a merchant would copy from a provider's pages, and the provider's own documents. */
export interface OpenedDemo {
  fields: Record<string, string>;
  documents: DemoDocument[];
}

const accountName = "shop";

/** Opens an account with a gateway's simulated provider, before anything is stored, because generating its keys takes a while. */
export async function openDemoAccount(ctx: Ctx, adapter: GatewayAdapter, { id }: { id: string }): Promise<OpenedDemo> {
  const simulator = await adapter.simulator();
  const { gateway } = adapter.manifest.method;
  const { documents, listPut } = rememberPut();
  const send = async (_callback: SimulatedCallback) => {};
  const world: SimulatorWorld = { origin: demoOrigin(ctx, { id }), now: ctx.now, token: randomToken, documents, send };
  const fields = await simulator.openAccount(world, accountName);
  for (const name of simulator.notInDemo ?? []) delete fields[name];
  await simulator.enterCallbackUrl?.(world, { account: accountName, url: callbackUrl(ctx, { gateway, id }) });
  await simulator.roots?.(world);
  return { fields, documents: listPut() };
}

function rememberPut(): { documents: SimulatorDocuments; listPut(): DemoDocument[] } {
  const memory = memoryDocuments();
  const put = new Map<string, DemoDocument>();
  return {
    documents: {
      ...memory,
      async put(kind, key, value) {
        await memory.put(kind, key, value);
        put.set(JSON.stringify([kind, key]), { kind, key, value: JSON.stringify(value) });
      },
    },
    listPut: () => [...put.values()],
  };
}
