import type { OutgoingEmail, SendOutcome } from "#email/index.ts";
import { type BackOff, createBackOff } from "./back-off.ts";
import { type Classified, classifyExchange, classifyOpenFailure } from "./classify-exchange.ts";
import { createConnectionLimiter } from "./connection-limiter.ts";
import { type ConnectionPool, createConnectionPool, type PooledConnection } from "./connection-pool.ts";
import type { Exchange, OpenFailure, Session } from "./conversation.ts";
import { createPace, type Pause } from "./pace.ts";
import { createSenderBackOffs } from "./sender-back-offs.ts";
import { stopped, untilStopped } from "./until-stopped.ts";

export interface SiteLimits {
  connections: number;
  messagesPerConnection: number;
  idleMs: number;
  /** How long an email waits for a free connection before it's returned to the queue. */
  timeoutMs: number;
}

export type Opened = { session: Session; remote: string } | { failure: OpenFailure; remote: string | null };

export interface SiteOptions {
  /** The name of the provider in outcomes. */
  provider: string;
  /** Whether a 250 response means delivered. */
  final: boolean;
  limits: SiteLimits;
  now: () => Date;
  /** Called when the site is paused. */
  onBackOff?: ((reason: string, until: Date) => void) | undefined;
  /** Waits for a message's turn; by default with a timer. */
  pause?: Pause | undefined;
}

/** Which of a site's servers a message goes to. */
export interface Connector {
  /** A pooled connection is reused only by messages of the same name. */
  name: string;
  open: () => Promise<Opened>;
}

/** Servers that belong together: they share one connection limit and one back-off. */
export interface Site {
  send(outgoing: OutgoingEmail, signal: AbortSignal, connector: Connector): Promise<SendOutcome>;
  /** Why a project's message would be held now; null if it would be sent, or wait in line. Takes no turn. */
  foresee(projectId: string): (SendOutcome & { result: "held" }) | null;
  /** Nothing is open or in progress, and it has no recorded failures. */
  readonly isIdle: boolean;
  close(): void;
}

export function createSite(options: SiteOptions): Site {
  const { limits, provider } = options;
  const backOff = createBackOff(options);
  const limiter = createConnectionLimiter({ backOff, connections: limits.connections, timeoutMs: limits.timeoutMs, now: options.now });
  const results = createResults(options, backOff);
  const { senders, pace } = results;
  const pools = new Map<string, ConnectionPool>();
  const converse = createConverse(options, { pools, results });
  return {
    async send(outgoing, signal, connector) {
      const closed = senders.refusal(outgoing.project_id) ?? (await limiter.enter(signal));
      if (closed !== null) return { provider, result: "held", ...closed };
      // While it waited in line, others may have shown that its sender is refused, or that it is too early.
      const late = (await pace.take(signal)) ?? senders.refusal(outgoing.project_id);
      if (late === null) return converse(outgoing, signal, connector).finally(() => limiter.leave());
      limiter.leave();
      return { provider, result: "held", ...late };
    },
    foresee(projectId) {
      const closed = senders.refusal(projectId) ?? limiter.foresee();
      return closed === null ? null : { provider, result: "held", ...closed };
    },
    get isIdle() {
      return limiter.isEmpty && backOff.isClear && [...pools.values()].every((pool) => pool.count === 0);
    },
    close() {
      limiter.close();
      for (const pool of pools.values()) pool.close();
    },
  };
}

/** Passes a message to a server on a pooled connection, or on a new one. */
function createConverse(
  { limits, provider, final, now }: SiteOptions,
  { pools, results }: { pools: Map<string, ConnectionPool>; results: ReturnType<typeof createResults> },
): Site["send"] {
  const conclude = (pool: ConnectionPool, connection: PooledConnection, given: { exchange: Exchange; sender: string }): SendOutcome => {
    pool.keep(connection);
    return results.ofExchange({ ...given, remote: connection.remote });
  };
  return async (outgoing, signal, connector) => {
    const pool = pools.get(connector.name) ?? createConnectionPool(limits);
    pools.set(connector.name, pool);
    const used = pool.take();
    if (used !== null) {
      const exchange = await used.session.send(outgoing, signal);
      if (!isStale(exchange) || signal.aborted) return conclude(pool, used, { exchange, sender: outgoing.project_id });
      pool.drop(used);
    }
    const opening = connector.open();
    const opened = await untilStopped(opening, signal);
    if (opened === null) {
      opening.then((late) => void ("session" in late && late.session.close()));
      return stopped(provider, now());
    }
    if ("failure" in opened) return results.heed(classifyOpenFailure(opened.failure, { provider, remote: opened.remote, final }));
    const connection = pool.add(opened);
    return conclude(pool, connection, { exchange: await connection.session.send(outgoing, signal), sender: outgoing.project_id });
  };
}

/** What follows from the result of a message: for its site, for its sender and for the pace. */
function createResults({ provider, final, limits, now, pause }: SiteOptions, backOff: BackOff) {
  const senders = createSenderBackOffs({ now });
  const pace = createPace({ now, timeoutMs: limits.timeoutMs, pause });
  const heed = (classified: Classified): SendOutcome => {
    const { outcome } = classified;
    if (outcome.result === "accepted") backOff.succeed();
    return classified.isSite && outcome.result === "deferred" ? { ...outcome, until: backOff.fail(classified).until } : outcome;
  };
  return {
    senders,
    pace,
    heed,
    ofExchange({ exchange, sender, remote }: { exchange: Exchange; sender: string; remote: string }): SendOutcome {
      const classified = classifyExchange(exchange, { provider, remote, final });
      if (classified.outcome.result === "accepted") {
        senders.succeed(sender);
        pace.succeed();
      }
      const slower = classified.isPace ? pace.slowDown(classified.reason) : null;
      if (slower !== null) return { provider, result: "held", ...slower };
      const isAlone = classified.isAccount && senders.fail(sender, classified);
      return isAlone ? classified.outcome : heed(classified);
    },
  };
}

/** A pooled connection may be too old for its server; a new one shows the server's real response. */
function isStale(exchange: Exchange): boolean {
  return exchange.kind === "lost" || (exchange.kind === "answer" && exchange.answer.code === 421 && exchange.answer.stage !== "body");
}
