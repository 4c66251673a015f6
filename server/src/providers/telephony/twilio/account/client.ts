import type { Ctx } from "#platform/index.ts";
import type { Answer } from "./answer.ts";
import { classifyExchange } from "./classify-exchange.ts";
import type { CarrierAccount } from "./read-accounts.ts";

/** Calls one account's API. Never throws, and never exposes a credential. */
export interface Client {
  /** `path` is appended to the account's address, for example `/Messages.json`. */
  post(path: string, form: Readonly<Record<string, string | readonly string[]>>, signal: AbortSignal): Promise<Answer>;
  get(path: string, signal: AbortSignal): Promise<Answer>;
}

type Send = Ctx["egress"]["request"];
type SendRequest = Parameters<Send>[0];

interface ClientOptions {
  account: CarrierAccount;
  request: Send;
  limits?: NonNullable<SendRequest["limits"]>;
}

const bodyBytes = 64 * 1_024;
/** For responses to GET: a page of a list may be large, and not every carrier observes the requested size. */
const listBytes = 1_024 * 1_024;

export function createClient({ account, request, limits }: ClientOptions): Client {
  const ask = (given: Pick<SendRequest, "method" | "headers"> & { path: string; body?: Buffer }, signal: AbortSignal): Promise<Answer> => {
    if (signal.aborted) return Promise.resolve({ kind: "held", reason: "it was stopped before it started" });
    const { path, headers, ...rest } = given;
    const pending = request({
      ...rest,
      url: `${account.base}/Accounts/${account.accountSid}${path}`,
      headers: { "user-agent": "Tillpost/1", accept: "application/json", authorization: authorizationOf(account), ...headers },
      owner: `carrier ${account.name}`,
      // The operator configured this address, so it may point anywhere.
      trusted: true,
      limits: { bodyBytes: given.method === "GET" ? listBytes : bodyBytes, ...limits },
    });
    return unlessAborted(pending.then(classifyExchange), signal);
  };
  return {
    post(path, form, signal) {
      const body = Buffer.from(encodeForm(form));
      return ask({ method: "POST", path, headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" }, body }, signal);
    },
    get: (path, signal) => ask({ method: "GET", path, headers: {} }, signal),
  };
}

/** The Authorization header of an account. */
export function authorizationOf({ user, password }: Pick<CarrierAccount, "user" | "password">): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

function encodeForm(form: Readonly<Record<string, string | readonly string[]>>): string {
  const pairs = Object.entries(form).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]));
  return new URLSearchParams(pairs).toString();
}

/** The exchange ends by its own limits; an aborted caller doesn't wait for that and doesn't learn the result. */
async function unlessAborted(pending: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  const { promise: aborted, resolve } = Promise.withResolvers<Answer>();
  const end = () => resolve({ kind: "unknown", reason: "waiting for a response was stopped" });
  signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([pending, aborted]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}
