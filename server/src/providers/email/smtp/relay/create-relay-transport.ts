import type { EmailTransport } from "#email/index.ts";
import { classifyOpenFailure } from "../classify-exchange.ts";
import { openSession, type Peer, usualLimits } from "../conversation.ts";
import { createSite, type SiteOptions } from "../site.ts";

export interface RelayOptions {
  /** `smtps://user:password@host:465` or `smtp://host:587`. */
  url: string;
  /** The name we announce in EHLO. */
  hello: string;
  now: () => Date;
  /** Called when the relay can't be used for a while. */
  onBackOff?: (reason: string, until: Date) => void;
  connections?: number;
  messagesPerConnection?: number;
  limits?: Partial<Peer["limits"]>;
  pause?: SiteOptions["pause"];
  ca?: string[];
}

const usualConnections = 20;
/** Messages in progress per connection, nearly all of them waiting for one, so that a slow database leaves no connection idle. */
const claimedAhead = 6;

/**
 * Hands all email to one server, which delivers it: a message that it accepts is sent, not delivered. A refused sign-in pauses the relay
 * and doesn't fail the message.
 */
export function createRelayTransport(options: RelayOptions): EmailTransport {
  const peer = relayPeer(options);
  const connections = options.connections ?? usualConnections;
  const remote = `${peer.host}:${peer.port}`;
  const site = createSite({
    provider: `relay:${peer.host}`,
    final: false,
    // Relays prefer long-lived connections; what they can't accept now waits in the queue rather than here.
    limits: { connections, messagesPerConnection: options.messagesPerConnection ?? 1_000, idleMs: 30_000, timeoutMs: 20_000 },
    now: options.now,
    onBackOff: options.onBackOff,
    pause: options.pause,
  });
  const connector = { name: remote, open: async () => ({ ...(await openSession(peer)), remote }) };
  return {
    name: "relay",
    concurrency: connections * claimedAhead,
    foresee:
      async ({ project_id }) =>
      () =>
        site.foresee(project_id),
    send: (outgoing, signal) => site.send(outgoing, signal, connector),
    close: async () => site.close(),
  };
}

/**
 * Returns how to connect to the relay of a URL. Credentials are sent only over TLS to a server with a valid certificate, except on this
 * machine; without credentials TLS is used if offered.
 */
export function relayPeer({ url, hello, limits, ca }: Pick<RelayOptions, "url" | "hello" | "limits" | "ca">): Peer {
  const { protocol, hostname, port, username, password } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const secure = protocol === "smtps:";
  const auth = username === "" ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
  return {
    host,
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    servername: host,
    secure,
    tls: auth === null || isHere ? "offered" : "required",
    verify: !isHere && (auth !== null || secure),
    hello,
    auth,
    limits: { ...usualLimits, ...limits },
    ...(ca === undefined ? {} : { ca }),
  };
}

/** Signs in and disconnects; returns what went wrong, or null. */
export async function tryRelay(peer: Peer): Promise<string | null> {
  const opened = await openSession(peer);
  if ("failure" in opened) return classifyOpenFailure(opened.failure, { provider: "relay", remote: null, final: false }).reason;
  opened.session.quit();
  return null;
}
