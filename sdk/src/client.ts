import { ApiError, type ErrorBody, readError } from "./errors.ts";
import type { Routes } from "./generated/api.ts";

export type RouteName = keyof Routes;
export type Answer<R extends RouteName> = Routes[R]["answer"];
export type Body<R extends RouteName> = Routes[R]["body"];
export type Query<R extends RouteName> = Routes[R]["query"];

/** The parts of a request; the route determines which are required. */
export type Input<R extends RouteName> = Part<"path", Routes[R]["path"]> & { query?: Query<R>; body?: Body<R> } & CallOptions;

type Part<Name extends string, Value> = keyof Value extends never ? { [key in Name]?: Record<string, never> } : { [key in Name]: Value };

export interface CallOptions {
  headers?: Record<string, string>;
  /** Sent as `If-Match`: the version that the edit is based on. */
  version?: number;
  /** Sent as `Idempotency-Key`. */
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** Lets a browser complete the request after its page is closed; such bodies may have up to 64 KB. */
  keepalive?: boolean;
}

/** A request to any path, for routes that the OpenAPI document doesn't list. */
export interface PlainInput extends CallOptions {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

export interface ClientOptions {
  /** Without a trailing slash; empty for the page's own host. */
  baseUrl: string;
  /** Headers of every request, read again each time. */
  headers?: () => Record<string, string>;
  fetch?: typeof fetch;
}

/** Calls the API. Every error response and every network failure is thrown as an `ApiError`. */
export interface Client {
  call<R extends RouteName>(route: R, input: Input<R>): Promise<Answer<R>>;
  /** For a route that isn't in the OpenAPI document: `plain("GET /api/profile/me")`. */
  plain<T>(route: string, input?: PlainInput): Promise<T>;
  /** The raw response, for streams and downloads; error responses are thrown as elsewhere. */
  open(route: string, input?: PlainInput): Promise<Response>;
}

export function createClient(options: ClientOptions): Client {
  const open: Client["open"] = (route, input = {}) => send(options, route, input);
  const plain = async <T>(route: string, input?: PlainInput): Promise<T> => {
    const response = await open(route, input);
    const text = await response.text();
    return (text === "" ? undefined : JSON.parse(text)) as T;
  };
  return { open, plain, call: (route, input) => plain(route, input as PlainInput) };
}

async function send(options: ClientOptions, route: string, input: PlainInput): Promise<Response> {
  const [method = "GET", template = ""] = route.split(" ");
  const isForm = typeof FormData !== "undefined" && input.body instanceof FormData;
  const headers: Record<string, string> = { accept: "application/json", ...options.headers?.(), ...input.headers };
  if (input.body !== undefined && !isForm) headers["content-type"] = "application/json";
  if (input.version !== undefined) headers["if-match"] = String(input.version);
  if (input.idempotencyKey !== undefined) headers["idempotency-key"] = input.idempotencyKey;
  const body = input.body === undefined ? undefined : isForm ? (input.body as FormData) : JSON.stringify(input.body);
  const init = {
    method,
    headers,
    credentials: "same-origin" as const,
    body: body ?? null,
    signal: input.signal ?? null,
    keepalive: input.keepalive ?? false,
  };
  const response = await (options.fetch ?? fetch)(`${options.baseUrl}${addressOf(template, input)}`, init).catch((cause: unknown) => {
    if (input.signal?.aborted === true) throw cause;
    throw new ApiError({ status: 0, code: "network_unreachable", message: "The server cannot be reached.", cause });
  });
  if (!response.ok) throw readError(response, (await response.json().catch(() => null)) as ErrorBody | null);
  return response;
}

function addressOf(template: string, { path = {}, query = {} }: PlainInput): string {
  const address = template.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(path[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const [part, one] of partsOf(name, value)) if (one !== undefined && one !== null && one !== "") search.append(part, String(one));
  }
  const text = search.toString();
  return text === "" ? address : `${address}?${text}`;
}

/** A list repeats its name; an object becomes `name[key]`. */
function partsOf(name: string, value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return value.map((one) => [name, one]);
  if (typeof value !== "object" || value === null) return [[name, value]];
  return Object.entries(value).map(([key, one]) => [`${name}[${key}]`, one]);
}
