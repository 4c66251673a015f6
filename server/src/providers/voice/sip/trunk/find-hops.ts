import { isIP } from "node:net";
import type { Hop, Transport } from "../net/signalling.ts";
import { chance, type SrvRecord, type Surroundings } from "../net/surroundings.ts";
import { isPort, parseUri } from "../wire/address.ts";
import type { TrunkConfig } from "./config.ts";

const maxHops = 6;
const services: Readonly<Record<Transport, string>> = { UDP: "_sip._udp", TCP: "_sip._tcp", TLS: "_sips._tcp" };
const usualPort = (transport: Transport) => (transport === "TLS" ? 5061 : 5060);

/**
 * Finds a trunk's addresses, best first (RFC 3263): its SRV records by priority and weight if no port is set, else its addresses. Empty if
 * its name doesn't resolve.
 */
export async function findHops(around: Surroundings, trunk: Pick<TrunkConfig, "host" | "port" | "transport">): Promise<Hop[]> {
  const { host, port, transport } = trunk;
  const found = isIP(host) !== 0 || port !== null ? [] : await around.srv(`${services[transport]}.${host}`).catch(() => []);
  const usable = found.filter((record) => isPort(record.port));
  const places = usable.length > 0 ? ordered(usable, around) : [{ name: host, port: port ?? usualPort(transport) }];
  const hops: Hop[] = [];
  for (const place of places.slice(0, maxHops)) {
    const addresses = await around.addresses(place.name).catch(() => []);
    hops.push(...addresses.map((address): Hop => ({ transport, address, port: place.port, servername: host })));
  }
  return hops.slice(0, maxHops);
}

/** Lower priorities first; equal ones in random order by weight (RFC 2782). */
function ordered(records: readonly SrvRecord[], around: Surroundings): SrvRecord[] {
  const priorities = [...new Set(records.map(({ priority }) => priority))].sort((one, other) => one - other);
  return priorities.flatMap((priority) => {
    const left = records.filter((one) => one.priority === priority);
    const chosen: SrvRecord[] = [];
    while (left.length > 0) {
      let point = chance(around, left.reduce((sum, { weight }) => sum + weight, 0) + 1);
      const at = left.findIndex(({ weight }) => (point -= weight) <= 0);
      chosen.push(...left.splice(Math.max(at, 0), 1));
    }
    return chosen;
  });
}

/**
 * Finds where a request inside a dialog goes: to the address of its first route or target. If that name doesn't resolve, to where the call
 * went.
 */
export async function hopOf(around: Surroundings, uri: string, call: Hop): Promise<Hop> {
  const parsed = parseUri(uri);
  if (parsed === null) return call;
  const named = parsed.params.get("transport")?.toUpperCase();
  const transport: Transport =
    parsed.scheme === "sips" ? "TLS" : named === "TCP" || named === "TLS" || named === "UDP" ? named : call.transport;
  const host = parsed.params.get("maddr") ?? parsed.host;
  // Over a connection the peer is reached where it's connected, whatever address it announces.
  if (call.transport !== "UDP" && transport === call.transport) return call;
  if (host === call.servername && parsed.port === null) return call;
  const addresses = isIP(host) !== 0 ? [host] : await around.addresses(host).catch(() => []);
  const address = addresses[0];
  return address === undefined ? call : { transport, address, port: parsed.port ?? usualPort(transport), servername: host };
}
