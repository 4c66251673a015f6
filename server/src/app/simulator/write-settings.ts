import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ProviderSimulator } from "#gateways/index.ts";
import type { ServedSimulator } from "./serve-simulator.ts";

interface SimulatorSettings {
  /** The environment with which Tillpost uses the simulator in TEST. */
  settings: { GATEWAY_URLS: string; NODE_EXTRA_CA_CERTS?: string };
  /** Removes the file that the settings name. */
  remove(): Promise<void>;
}

/**
 * Returns what points Tillpost to a served simulator. If it signs with certificates of its own authority, that is written to a file, which
 * Node adds to the authorities that it trusts.
 */
export async function writeSettings(
  simulator: ProviderSimulator,
  { world, origin }: Pick<ServedSimulator, "world" | "origin">,
): Promise<SimulatorSettings> {
  const address = { GATEWAY_URLS: `${simulator.slug}.test=${origin}` };
  const authorities = await world.enter(async (inner) => (await simulator.roots?.(inner)) ?? []);
  if (authorities.length === 0) return { settings: address, remove: async () => {} };
  const file = join(await mkdtemp(join(tmpdir(), "tillpost-simulator-")), "authorities.pem");
  await writeFile(file, authorities.join("\n"));
  return { settings: { ...address, NODE_EXTRA_CA_CERTS: file }, remove: () => rm(dirname(file), { recursive: true, force: true }) };
}
