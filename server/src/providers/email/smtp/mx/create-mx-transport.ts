import { domainToASCII } from "node:url";
import type { EmailTransport, OutgoingEmail, SendOutcome } from "#email/index.ts";
import { type TalkLimits, usualLimits } from "../conversation.ts";
import { type Connector, createSite, type Site, type SiteLimits } from "../site.ts";
import { stopped, untilStopped } from "../until-stopped.ts";
import { createDialer, notReachable } from "./dial-hosts.ts";
import type { MailDns } from "./mail-dns.ts";
import { createStsReader, type FetchText, permits } from "./mta-sts.ts";
import { createRouter, type MailHost, type Route } from "./resolve-route.ts";
import { siteOf } from "./site-rules.ts";

export interface MxOptions {
  /** The name we announce in EHLO. */
  hello: string;
  /** Our other names that an MX record may point to. */
  ownNames?: readonly string[];
  now: () => Date;
  dns: MailDns;
  /** Fetches MTA-STS policies. */
  fetchText: FetchText;
  /** Whether connecting to an address is allowed at all. */
  admits: (address: string) => boolean;
  onBackOff?: (site: string, reason: string, until: Date) => void;
  port?: number;
  concurrency?: number;
  siteLimits?: Partial<SiteLimits>;
  limits?: Partial<TalkLimits>;
  ca?: string[];
}

const usualConcurrency = 200;
const cleanUpEveryMs = 60_000;

/** Delivers to the recipients' own servers, site by site. A message that they accept is delivered. */
export function createMxTransport(options: MxOptions): EmailTransport {
  const sites = new Map<string, Site>();
  const wayOf = wayFinder(sites, options);

  const cleanUp = setInterval(() => {
    for (const [key, site] of sites) if (site.isIdle) sites.delete(key);
  }, cleanUpEveryMs).unref();

  const concurrency = options.concurrency ?? usualConcurrency;
  return {
    name: "mx",
    concurrency,
    // Any sender may have email for servers that respond slowly.
    reserved: concurrency,
    async foresee(outgoing, signal) {
      const way = await wayOf(outgoing, signal);
      if ("result" in way) return () => way;
      return () => {
        const held = way.site.foresee(outgoing.project_id);
        return held === null ? null : unlessUnreachable(held);
      };
    },
    async send(outgoing, signal) {
      const way = await wayOf(outgoing, signal);
      return "result" in way ? way : unlessUnreachable(await way.site.send({ ...outgoing, to: way.to }, signal, way.connector));
    },
    async close() {
      clearInterval(cleanUp);
      for (const site of sites.values()) site.close();
      sites.clear();
    },
  };
}

/** Where a message goes. */
interface Way {
  site: Site;
  connector: Connector;
  to: string;
}

/** Returns the way of an address, or what becomes of a message that has none. */
function wayFinder(sites: Map<string, Site>, options: MxOptions) {
  const routeOf = createRouter(options);
  const policyOf = createStsReader(options);
  const dial = createDialer({ ...options, port: options.port ?? 25, limits: { ...usualLimits, ...options.limits } });
  const own = new Set([options.hello, ...(options.ownNames ?? [])].map((name) => name.toLowerCase()));
  const siteFor = siteFinder(sites, options);
  return async (outgoing: Pick<OutgoingEmail, "to" | "previous">, signal: AbortSignal): Promise<Way | SendOutcome> => {
    const { domain, to } = readAddress(outgoing.to);
    if (domain === null) return refusedBy("5.1.3", "the address has no domain that mail could go to", false);
    const route = await untilStopped(routeOf(domain), signal);
    if (route === null) return stopped("mx", options.now());
    if (route.kind !== "hosts") return withoutHosts(route, outgoing);
    const others = beforeOurselves(route.hosts, own);
    if (others.length === 0) return refusedBy("5.4.6", `the mail of ${domain} comes to this server itself, which takes none for it`, false);
    const policy = await untilStopped(policyOf(domain), signal);
    if (policy === null) return stopped("mx", options.now());
    const strict = policy.mode === "enforce";
    const hosts = strict ? others.filter((host) => permits(policy, host.name)) : others;
    if (hosts.length === 0) return deferredBy("4.7.5", "none of its mail servers is one that its MTA-STS policy allows", "policy");
    const connector = { name: hosts.map((host) => host.name).join(" "), open: () => dial(hosts, strict) };
    return { site: siteFor(hosts, strict), connector, to };
  };
}

/** A site that is closed because no server of the domain may be connected to won't open again. */
function unlessUnreachable(outcome: SendOutcome): SendOutcome {
  const said = `${outcome.diagnostic ?? ""} ${outcome.result === "held" ? outcome.reason : ""}`;
  return said.includes(notReachable) ? refusedBy("5.4.4", notReachable, false) : outcome;
}

/**
 * RFC 5321 §5.1: if we are one of the domain's servers, only servers with a lower preference value can help; the others would send it back
 * to us.
 */
function beforeOurselves(hosts: readonly MailHost[], own: ReadonlySet<string>): readonly MailHost[] {
  const ours = hosts.filter((host) => own.has(host.name)).map((host) => host.preference);
  return ours.length === 0 ? hosts : hosts.filter((host) => host.preference < Math.min(...ours));
}

/**
 * Returns the site of a set of hosts, created on first use. Senders that require valid certificates have separate sites, because their
 * failures don't affect others.
 */
function siteFinder(sites: Map<string, Site>, options: MxOptions) {
  return (hosts: readonly MailHost[], strict: boolean): Site => {
    const { name, limits } = siteOf(hosts, options.siteLimits);
    const key = strict ? `${name} verified` : name;
    const onBackOff = (reason: string, until: Date) => options.onBackOff?.(name, reason, until);
    const site = sites.get(key) ?? createSite({ provider: "mx", final: true, limits, now: options.now, onBackOff });
    sites.set(key, site);
    return site;
  };
}

/** Rejects bracketed addresses, which bypass DNS and could point anywhere. */
function readAddress(address: string): { domain: string | null; to: string } {
  const at = address.lastIndexOf("@");
  const domain = domainToASCII(address.slice(at + 1).replace(/\.$/, "")).toLowerCase();
  const isName = at > 0 && /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,62}$/.test(domain);
  return isName ? { domain, to: `${address.slice(0, at)}@${domain}` } : { domain: null, to: address };
}

const noDomain = "4.1.2";

function withoutHosts(route: Exclude<Route, { kind: "hosts" }>, { previous }: Pick<OutgoingEmail, "previous">): SendOutcome {
  if (route.kind === "null_mx") return refusedBy("5.1.10", "the domain takes no mail (null MX)", true);
  if (route.kind === "dns_down") return deferredBy("4.4.3", route.reason, "dns");
  // Registrars and name servers have outages, so the domain is refused only if the previous attempt found the same.
  const isAgain = previous.smtp_code === null && previous.enhanced_code === noDomain;
  return isAgain ? refusedBy("5.1.2", route.reason, false) : deferredBy(noDomain, route.reason, "dns");
}

function refusedBy(enhanced_code: string, diagnostic: string, suppress: boolean): SendOutcome {
  return { provider: "mx", result: "refused", enhanced_code, diagnostic, suppress, bounce: { type: "permanent", subtype: "dns" } };
}

function deferredBy(enhanced_code: string, diagnostic: string, subtype: "dns" | "policy"): SendOutcome {
  return { provider: "mx", result: "deferred", enhanced_code, diagnostic, bounce: { type: "transient", subtype } };
}
