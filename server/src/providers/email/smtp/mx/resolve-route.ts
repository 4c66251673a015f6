import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import type { MailDns } from "./mail-dns.ts";

/** Where a domain's mail goes, or why it can't be delivered. */
export type Route =
  | { kind: "hosts"; hosts: MailHost[] }
  /** The domain accepts no mail (RFC 7505). */
  | { kind: "null_mx" }
  /** The domain doesn't exist or has no server. May also be a fault of name servers. */
  | { kind: "no_domain"; reason: string }
  /** DNS didn't respond. */
  | { kind: "dns_down"; reason: string };

export interface MailHost {
  name: string;
  /** Lower comes first. */
  preference: number;
}

const cacheMs = 300_000;
const cacheMax = 10_000;
const maxHosts = 12;

/** Resolves where mail goes, and caches the result for five minutes. */
export function createRouter({ dns, now }: { dns: MailDns; now: () => Date }) {
  const known = new Map<string, { route: Promise<Route>; until: number }>();
  return (domain: string): Promise<Route> => {
    const at = now().getTime();
    const cached = known.get(domain);
    if (cached !== undefined && at < cached.until) return cached.route;
    const route = resolveRoute(dns, domain);
    known.delete(domain);
    known.set(domain, { route, until: at + cacheMs });
    for (const [name] of known) {
      if (known.size <= cacheMax) break;
      known.delete(name);
    }
    // Failed lookups aren't cached.
    void route.then(({ kind }) => {
      if (kind !== "hosts" && kind !== "null_mx" && known.get(domain)?.route === route) known.delete(domain);
    });
    return route;
  };
}

/** RFC 5321 §5.1: the MX records in order; without MX records, the domain's own address. */
async function resolveRoute(dns: MailDns, domain: string): Promise<Route> {
  try {
    const records = await dns.mx(domain);
    const [only] = records;
    if (records.length === 1 && (only?.exchange === "" || only?.exchange === ".")) return { kind: "null_mx" };
    const hosts = records
      .map(({ exchange, priority }) => ({ name: domainToASCII(exchange.replace(/\.$/, "")).toLowerCase(), preference: priority }))
      .filter(({ name }) => name !== "" && isIP(name) === 0)
      .toSorted((left, right) => left.preference - right.preference || (left.name < right.name ? -1 : 1))
      .slice(0, maxHosts);
    if (hosts.length > 0) return { kind: "hosts", hosts };
    if (records.length > 0) return { kind: "no_domain", reason: `the MX records of ${domain} name no host` };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (code === "ENOTFOUND") return { kind: "no_domain", reason: `there is no domain ${domain}` };
    if (code !== "ENODATA") return { kind: "dns_down", reason: `DNS says nothing about ${domain} (${code})` };
  }
  return ownAddress(dns, domain);
}

async function ownAddress(dns: MailDns, domain: string): Promise<Route> {
  try {
    const addresses = await dns.addresses(domain);
    if (addresses.length > 0) return { kind: "hosts", hosts: [{ name: domain, preference: 0 }] };
    return { kind: "no_domain", reason: `${domain} has neither an MX record nor an address` };
  } catch (error) {
    return { kind: "dns_down", reason: `DNS says nothing about ${domain} (${(error as NodeJS.ErrnoException).code ?? "?"})` };
  }
}
