import type { Parcel, SendOutcome } from "#messaging/index.ts";
import type { Exchange, OpenFailure, Session } from "./conversation.ts";
import { createGate, type GateOptions } from "./gate.ts";
import { judge, judgeOpening } from "./judge.ts";
import { createLines, type Line } from "./lines.ts";

export interface SiteLimits {
  connections: number;
  messagesPerConnection: number;
  idleMs: number;
  /** How long a parcel waits for a free connection before it is handed back. */
  patienceMs: number;
}

export type Opened = { session: Session; remote: string } | { failure: OpenFailure; remote: string | null };

export interface SiteOptions extends Pick<GateOptions, "now" | "onBackOff"> {
  /** How the site is called in outcomes. */
  provider: string;
  /** Whether 250 from here is the last word. */
  final: boolean;
  limits: SiteLimits;
  open: () => Promise<Opened>;
}

/** Servers that are one to us: shared connections, shared back-off. */
export interface Site {
  send(parcel: Parcel, signal: AbortSignal): Promise<SendOutcome>;
  /** Nothing is open or under way and nothing is remembered against it. */
  readonly isIdle: boolean;
  close(): void;
}

export function createSite(options: SiteOptions): Site {
  const { limits, provider, final } = options;
  const gate = createGate({
    places: limits.connections,
    patienceMs: limits.patienceMs,
    now: options.now,
    ...(options.onBackOff && { onBackOff: options.onBackOff }),
  });
  const lines = createLines(limits);

  const conclude = (line: Line, exchange: Exchange): SendOutcome => {
    lines.keep(line);
    const judged = judge(exchange, { provider, remote: line.remote, final });
    if (judged.outcome === null) return { provider, remote: line.remote, diagnostic: judged.reason, result: "held", ...gate.backOff(judged) };
    if (judged.outcome.result === "accepted") gate.succeed();
    return judged.outcome;
  };

  const converse = async (parcel: Parcel, signal: AbortSignal): Promise<SendOutcome> => {
    const used = lines.take();
    if (used !== null) {
      const exchange = await used.session.send(parcel, signal);
      if (!isStale(exchange) || signal.aborted) return conclude(used, exchange);
      lines.drop(used);
    }
    const opened = await options.open();
    if ("failure" in opened) {
      const judged = judgeOpening(opened.failure);
      return { provider, remote: opened.remote, diagnostic: judged.reason, result: "held", ...gate.backOff(judged) };
    }
    const line = lines.add(opened);
    return conclude(line, await line.session.send(parcel, signal));
  };

  return {
    async send(parcel, signal) {
      const closed = await gate.enter(signal);
      if (closed !== null) return { provider, result: "held", ...closed };
      return converse(parcel, signal).finally(() => gate.leave());
    },
    get isIdle() {
      return gate.isIdle && lines.count === 0;
    },
    close() {
      gate.close();
      lines.close();
    },
  };
}

/** A connection that was kept may have grown too old for its server; a new one tells what that server really says. */
function isStale(exchange: Exchange): boolean {
  return exchange.kind === "lost" || (exchange.kind === "answer" && exchange.answer.code === 421 && exchange.answer.stage !== "body");
}
