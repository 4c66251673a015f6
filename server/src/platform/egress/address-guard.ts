import { type BlockList, isIP } from "node:net";
import { isIn, isPublicAddress, rangesOf } from "./address-policy.ts";
import type { Resolve } from "./resolve-name.ts";

/** The address that a merchant named isn't allowed. Doesn't say why, because the reason would reveal our network. */
export class EgressBlocked extends Error {
  readonly code = "EGRESS_BLOCKED";

  constructor() {
    super("this address may not be reached");
  }
}

export interface GuardOptions {
  /** CIDR ranges that are allowed on any port although they aren't public. */
  allow: readonly string[];
  /** Host name of this deployment; requests to it are refused. */
  ownHost: string;
  resolve: Resolve;
}

export interface Guard {
  /** The parsed address if its form is acceptable, otherwise null. Resolves nothing. */
  read(text: string): URL | null;
  /** Whether an address may be connected to on a port. */
  admits(address: string, port: number): boolean;
  /** All addresses of a host name, each of them allowed. Throws EgressBlocked if one isn't, and DNS errors. */
  resolve(host: string, port: number): Promise<Awaited<ReturnType<Resolve>>>;
  /**
   * Whether a merchant can save this address. A name without an address passes if its port is a public one, because each connection checks
   * again.
   */
  mayBeSaved(text: string): Promise<boolean>;
}

const longest = 2_048;
const publicPorts = new Set([443, 8443]);
/** Names that no public resolver answers. */
const inside = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa|onion|invalid|arpa)$/;

export function createGuard({ allow, ownHost, resolve }: GuardOptions): Guard {
  const allowed = rangesOf(allow);
  const admits = (address: string, port: number) => isIn(allowed, address) || (publicPorts.has(port) && isPublicAddress(address));
  const resolveAll = async (host: string, port: number) => {
    const answers = await resolve(host);
    if (answers.length === 0 || answers.some(({ address }) => !admits(address, port))) throw new EgressBlocked();
    return answers;
  };
  const read = (text: string) => readUrl(text, { allowed, isOwn: (host) => host === ownHost && !(allow.length > 0 && inside.test(host)) });
  return {
    read,
    admits,
    resolve: resolveAll,
    async mayBeSaved(text) {
      const url = read(text);
      // A fragment is never sent, so an address with one doesn't mean what it says.
      if (url === null || text.includes("#")) return false;
      const [host, port] = [hostOf(url), portOf(url)];
      if (isIP(host) !== 0) return admits(host, port);
      if (allow.length === 0 && (inside.test(host) || !host.includes("."))) return false;
      try {
        await resolveAll(host, port);
        return true;
      } catch (error) {
        return !(error instanceof EgressBlocked) && publicPorts.has(port);
      }
    },
  };
}

/** The host of a parsed address, without brackets and without the trailing dot of a full name. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

export function portOf(url: URL): number {
  return url.port === "" ? 443 : Number(url.port);
}

/** The limits of DNS: labels of at most 63 letters, 253 in total. */
const hostName = /^(?=.{1,253}$)[^.]{1,63}(\.[^.]{1,63})*$/;

/**
 * The URL parser normalizes every spelling of an address (octal, hexadecimal, one number, full-width digits); spellings that it would
 * correct silently are refused.
 */
function readUrl(text: string, given: { allowed: BlockList; isOwn: (host: string) => boolean }): URL | null {
  if (text.length > longest || /[\s\\\u0000-\u0020\u007f]/.test(text) || !/^https:\/\//i.test(text)) return null;
  const url = URL.parse(text);
  if (url === null || url.protocol !== "https:" || url.username !== "" || url.password !== "" || /^https:\/\/[^/?#]*@/i.test(text))
    return null;
  const host = hostOf(url);
  if (host === "" || given.isOwn(host) || (isIP(host) === 0 && !hostName.test(host))) return null;
  if (isIP(host) !== 0 && !isIn(given.allowed, host) && !(isPublicAddress(host) && publicPorts.has(portOf(url)))) return null;
  return url;
}
