import { isIP, type LookupFunction, type Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { Agent, buildConnector, request as send } from "undici";
import { EgressBlocked, type Guard } from "./address-guard.ts";
import type { AnswerHead, EgressLimits, EgressRequest, Exchange } from "./exchange.ts";
import { failureCode, maybeSent } from "./failure-code.ts";
import { readBody } from "./read-body.ts";

interface Means {
  guard: Guard;
  limits: EgressLimits;
  ca: string[] | undefined;
}

export interface Dialer {
  exchange(given: EgressRequest): Promise<Exchange>;
  close(): Promise<void>;
}

const ownersMax = 500;

/** The connections of the guarded client: one set per owner, the longest unused closed first. */
export function createDialer(means: Means): Dialer {
  const agents = new Map<string, Agent>();
  const agentOf = ({ owner, trusted = false }: EgressRequest) => {
    const key = `${trusted ? "trusted" : "guarded"} ${owner}`;
    const agent = agents.get(key) ?? makeAgent(trusted ? plainConnector(means) : connectorOf(means));
    agents.delete(key);
    agents.set(key, agent);
    for (const [name, oldest] of agents) {
      if (agents.size <= ownersMax) break;
      agents.delete(name);
      void oldest.close();
    }
    return agent;
  };
  return {
    exchange: (given) => exchange({ ...means, limits: { ...means.limits, ...given.limits } }, agentOf(given), given),
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
      agents.clear();
    },
  };
}

/**
 * With HTTP/2 allowed, requests to one host would wait in line for its first connection to negotiate the protocol, each for the full
 * connect timeout.
 */
function makeAgent(connect: buildConnector.connector): Agent {
  return new Agent({ connect, allowH2: false, keepAliveTimeout: 10_000, keepAliveMaxTimeout: 30_000, pipelining: 1 });
}

async function exchange({ guard, limits }: Means, agent: Agent, given: EgressRequest): Promise<Exchange> {
  const start = performance.now();
  const took = () => Math.round(performance.now() - start);
  if (given.trusted !== true && guard.read(given.url) === null)
    return { status: null, error_code: "egress_blocked", duration_ms: took(), head: null, sent: false };
  const seen: { head: AnswerHead | null } = { head: null };
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  // An aborted request that is still connecting only ends when connecting does; the caller must not wait that long.
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new Error("the exchange took too long");
      reject(Object.assign(error, { code: "UND_ERR_ABORTED" }));
      ending.abort(error);
    }, limits.totalMs);
  });
  try {
    const { answer, bytes, truncated } = await Promise.race([
      late,
      sendAndRead(agent, { given, limits, signal: ending.signal, onHead: (head) => void (seen.head = head) }),
    ]);
    return { status: answer.statusCode, headers: plain(answer.headers), body: bytes, truncated, duration_ms: took(), error_code: null };
  } catch (error) {
    return {
      status: null,
      error_code: failureCode(error, seen.head !== null),
      duration_ms: took(),
      head: seen.head,
      sent: seen.head !== null || maybeSent(error),
    };
  } finally {
    clearTimeout(timer);
  }
}

interface Sending {
  given: EgressRequest;
  limits: EgressLimits;
  signal: AbortSignal;
  onHead(head: AnswerHead): void;
}

async function sendAndRead(agent: Agent, { given, limits, signal, onHead }: Sending) {
  const answer = await send(given.url, {
    dispatcher: agent,
    method: given.method,
    headers: { ...given.headers, "accept-encoding": "identity" },
    body: given.body ?? null,
    signal,
    headersTimeout: limits.firstByteMs,
    bodyTimeout: limits.totalMs,
  });
  onHead({ status: answer.statusCode, headers: plain(answer.headers) });
  return { answer, ...(await readBody(answer.body, limits.bodyBytes)) };
}

/** For addresses that no merchant named. */
function plainConnector({ limits, ca }: Means): buildConnector.connector {
  return buildConnector({ timeout: limits.connectMs, allowH2: false, ...(ca === undefined ? {} : { ca }) } as buildConnector.BuildOptions);
}

/** Names go through the guard's own lookup, so that the checked address is the one that is dialed. */
function connectorOf({ guard, limits, ca }: Means): buildConnector.connector {
  const lookups = new Map<number, buildConnector.connector>();
  const connectorFor = (port: number) => {
    const known = lookups.get(port);
    if (known !== undefined) return known;
    const made = buildConnector({
      timeout: limits.connectMs,
      allowH2: false,
      lookup: lookupOf(guard, port),
      ...(ca === undefined ? {} : { ca }),
    } as buildConnector.BuildOptions);
    lookups.set(port, made);
    return made;
  };
  return (wanted, callback) => {
    const host = wanted.hostname.replace(/^\[|\]$/g, "");
    const port = wanted.port === "" ? 443 : Number(wanted.port);
    if (wanted.protocol !== "https:" || (isIP(host) !== 0 && !guard.admits(host, port))) return callback(new EgressBlocked(), null);
    connectorFor(port)(wanted, (error, socket) => {
      if (error !== null) return callback(error, null);
      if (guard.admits((socket as Socket).remoteAddress ?? "", port)) return callback(null, socket as Socket);
      socket?.destroy();
      callback(new EgressBlocked(), null);
    });
  };
}

function lookupOf(guard: Guard, port: number): LookupFunction {
  return (host, options, callback) => {
    guard.resolve(host.replace(/\.$/, ""), port).then(
      (answers) => {
        const [first] = answers;
        if (options.all === true) callback(null, answers);
        else callback(null, first?.address ?? "", first?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, "", 0),
    );
  };
}

function plain(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}
