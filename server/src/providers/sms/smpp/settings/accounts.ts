import type { SmppBind } from "./read-binds.ts";

/** How messages and reports name a bind. */
export function providerOf({ name }: Pick<SmppBind, "name">): string {
  return `smpp:${name}`;
}

/** The binds of each account, by their providers' names: one carrier's port and one `system_id`. */
export function accountsOf(binds: readonly Pick<SmppBind, "name" | "host" | "port" | "systemId">[]): string[][] {
  const grouped = Map.groupBy(binds, ({ host, port, systemId }) => JSON.stringify([host.toLowerCase(), port, systemId]));
  return [...grouped.values()].map((account) => account.map(providerOf).sort());
}
