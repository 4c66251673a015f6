import type { EgressLimits, EgressRequest, Exchange } from "./exchange.ts";

export interface FetchOptions {
  owner: string;
  /** Whether only the operator or this program named the address. */
  isTrusted(url: URL): boolean;
  limits: Partial<Omit<EgressLimits, "connectMs">>;
  /** Called for each exchange, whatever its result. */
  onExchange(request: { method: string; url: URL }, exchange: Exchange): void;
}

const methods: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const bodiless: readonly number[] = [204, 205, 304];

/**
 * The guarded client with the `fetch` interface of libraries. Follows no redirect. Rejects with a `TimeoutError` or a `TypeError`, whose
 * cause has the code `EGRESS_NOT_SENT` if the request certainly wasn't sent, `EGRESS_TOO_LARGE` if the response exceeds the limit, and
 * otherwise `EGRESS_LOST`.
 */
export function egressFetch(send: (given: EgressRequest) => Promise<Exchange>, options: FetchOptions): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (!methods.includes(request.method)) throw new TypeError(`the method ${request.method} is not sent`);
    const bytes = request.body === null ? null : Buffer.from(await request.arrayBuffer());
    const exchange = await unlessAborted(
      request.signal,
      send({
        url: request.url,
        method: request.method as EgressRequest["method"],
        headers: { "user-agent": "Tillpost/1", ...Object.fromEntries(request.headers) },
        ...(bytes === null ? {} : { body: bytes }),
        ...{ owner: options.owner, trusted: options.isTrusted(url), limits: options.limits },
      }),
    );
    options.onExchange({ method: request.method, url }, exchange);
    return answerOf(exchange);
  };
}

function answerOf(exchange: Exchange): Response {
  if (exchange.status === null) throw lost(exchange.error_code, exchange.sent ? "EGRESS_LOST" : "EGRESS_NOT_SENT");
  if (exchange.truncated) throw lost("truncated", "EGRESS_TOO_LARGE");
  const { status, headers, body } = exchange;
  return new Response(bodiless.includes(status) ? null : new Uint8Array(body), { status, headers });
}

function lost(reason: string, code: string): Error {
  const cause = Object.assign(new Error(reason), { code });
  if (reason === "timeout") return new DOMException("no answer came in time", { name: "TimeoutError", cause });
  return new TypeError("fetch failed", { cause });
}

/** The exchange ends by its own limits; a caller that gave up doesn't have to wait for that. */
async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let end = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    end = () => reject(signal.reason);
    signal.addEventListener("abort", end, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}
