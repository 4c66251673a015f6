import { type OpenFailure, openSession, type Peer } from "../conversation.ts";
import type { Opened } from "../site.ts";
import type { MailDns } from "./mail-dns.ts";
import type { MailHost } from "./resolve-route.ts";

export interface DialOptions {
  dns: MailDns;
  now: () => Date;
  /** Whether connecting to an address is allowed at all. */
  admits: (address: string) => boolean;
  port: number;
  hello: string;
  limits: Peer["limits"];
  ca?: string[];
}

/** None of the hosts has an address that we may connect to. */
export const notReachable = "none of its mail servers stands at a public address";

const brokenForMs = 259_200_000;
const maxAddresses = 6;
const maxRemembered = 10_000;

/**
 * Opens a conversation with the first host that responds. Uses TLS if offered, whatever the certificate; a host whose TLS fails gets plain
 * text for three days. With `strict`, only a valid certificate is accepted.
 */
export function createDialer(options: DialOptions) {
  const broken = new Map<string, number>();

  const talk = async (host: MailHost, address: string, strict: boolean) => {
    const isBroken = (broken.get(host.name) ?? 0) > options.now().getTime();
    const peer: Peer = {
      host: address,
      port: options.port,
      servername: host.name,
      secure: false,
      tls: strict ? "required" : isBroken ? "none" : "offered",
      verify: strict,
      hello: options.hello,
      auth: null,
      limits: options.limits,
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    };
    const opened = await openSession(peer);
    if (!("failure" in opened) || opened.failure.kind !== "tls" || strict) return opened;
    if (broken.size >= maxRemembered) broken.clear();
    broken.set(host.name, options.now().getTime() + brokenForMs);
    return openSession({ ...peer, tls: "none" });
  };

  return async (hosts: readonly MailHost[], strict: boolean): Promise<Opened> => {
    let failure: OpenFailure | undefined;
    let remote: string | null = null;
    let left = maxAddresses;
    const from = performance.now();
    for (const host of inOrder(hosts)) {
      const found = await options.dns.addresses(host.name).catch(() => null);
      if (found === null || found.length === 0) failure ??= { kind: "unreachable", reason: `${host.name} has no address` };
      const admitted = (found ?? []).filter(options.admits);
      if (admitted.length === 0 && (found ?? []).length > 0) failure ??= { kind: "unreachable", reason: notReachable };
      for (const address of admitted) {
        // A domain with many silent addresses must not occupy a slot for the sum of their timeouts.
        if (left-- <= 0 || performance.now() - from > options.limits.helloMs) break;
        remote = `${host.name} [${address}]`;
        const opened = await talk(host, address, strict);
        if (!("failure" in opened)) return { ...opened, remote };
        failure = opened.failure;
      }
    }
    return { failure: failure ?? { kind: "unreachable", reason: "it has no host" }, remote };
  };
}

/** By preference; hosts of equal preference are shuffled to spread the load. */
function inOrder(hosts: readonly MailHost[]): MailHost[] {
  return hosts
    .map((host) => ({ host, lot: Math.random() }))
    .toSorted((left, right) => left.host.preference - right.host.preference || left.lot - right.lot)
    .map(({ host }) => host);
}
