import type { SimulatorWorld } from "./simulator.ts";

/** The path of a request below the address of its simulated provider, which may have its own path. */
export function pathIn({ origin }: Pick<SimulatorWorld, "origin">, { url }: Pick<Request, "url">): string {
  const { pathname } = new URL(url);
  const prefix = new URL(origin).pathname;
  return prefix !== "/" && pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname;
}
