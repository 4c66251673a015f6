import type { OutgoingEmail, SendOutcome } from "#email/index.ts";
import type { Exchange, OpenFailure, Session } from "./conversation.ts";
import { createGate } from "./gate.ts";
import { type Judged, judge, judgeOpening } from "./judge.ts";
import { createLines, type Line, type Lines } from "./lines.ts";
import { createStanding } from "./standing.ts";

export interface SiteLimits {
  connections: number;
  messagesPerConnection: number;
  idleMs: number;
  /** How long an email waits for a free connection before it is handed back. */
  patienceMs: number;
}

export type Opened = { session: Session; remote: string } | { failure: OpenFailure; remote: string | null };

export interface SiteOptions {
  /** How the site is called in outcomes. */
  provider: string;
  /** Whether 250 from here is the last word. */
  final: boolean;
  limits: SiteLimits;
  now: () => Date;
  /** Called when the site is to be left alone for a while. */
  onBackOff?: ((reason: string, until: Date) => void) | undefined;
}

/** Which of a site's servers a message goes to. */
export interface Way {
  /** Connections that were made one way are used for the same way alone. */
  name: string;
  open: () => Promise<Opened>;
}

/** Servers that belong together: one limit of connections, one back-off. */
export interface Site {
  send(outgoing: OutgoingEmail, signal: AbortSignal, way: Way): Promise<SendOutcome>;
  /** Nothing is open or in progress, and it has no recorded failures. */
  readonly isIdle: boolean;
  close(): void;
}

export function createSite(options: SiteOptions): Site {
  const { limits, provider, final } = options;
  const standing = createStanding(options);
  const gate = createGate({ standing, places: limits.connections, patienceMs: limits.patienceMs, now: options.now });
  const ways = new Map<string, Lines>();
  const heed = (judged: Judged): SendOutcome => {
    const { outcome } = judged;
    if (outcome.result === "accepted") standing.succeed();
    return judged.isSite && outcome.result === "deferred" ? { ...outcome, until: standing.backOff(judged).until } : outcome;
  };
  const conclude = (lines: Lines, line: Line, exchange: Exchange): SendOutcome => {
    lines.keep(line);
    return heed(judge(exchange, { provider, remote: line.remote, final }));
  };

  const converse = async (outgoing: OutgoingEmail, signal: AbortSignal, way: Way): Promise<SendOutcome> => {
    const lines = ways.get(way.name) ?? createLines(limits);
    ways.set(way.name, lines);
    const used = lines.take();
    if (used !== null) {
      const exchange = await used.session.send(outgoing, signal);
      if (!isStale(exchange) || signal.aborted) return conclude(lines, used, exchange);
      lines.drop(used);
    }
    const opened = await way.open();
    if ("failure" in opened) return heed(judgeOpening(opened.failure, { provider, remote: opened.remote, final }));
    const line = lines.add(opened);
    return conclude(lines, line, await line.session.send(outgoing, signal));
  };

  return {
    async send(outgoing, signal, way) {
      const closed = await gate.enter(signal);
      if (closed !== null) return { provider, result: "held", ...closed };
      return converse(outgoing, signal, way).finally(() => gate.leave());
    },
    get isIdle() {
      return gate.isEmpty && standing.isClear && [...ways.values()].every((lines) => lines.count === 0);
    },
    close() {
      gate.close();
      for (const lines of ways.values()) lines.close();
    },
  };
}

/** A connection that was kept may have grown too old for its server; a new one tells what that server really says. */
function isStale(exchange: Exchange): boolean {
  return exchange.kind === "lost" || (exchange.kind === "answer" && exchange.answer.code === 421 && exchange.answer.stage !== "body");
}
