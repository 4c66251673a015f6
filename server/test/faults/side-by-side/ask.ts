import type { KnownShop } from "#test/support/upgrade/known.ts";
import type { SideBySide } from "./world.ts";

export interface Call {
  path: string;
  /** The shop whose key is sent; without one, a buyer sends the request. */
  shop?: KnownShop;
  method?: "GET" | "POST" | "PATCH";
  body?: object;
  form?: FormData;
  headers?: Record<string, string>;
  /** The expected status. */
  status?: number;
}

/** What the load reads from responses. */
export interface AnswerBody {
  id?: string;
  status?: string;
  payment_link?: { token: string };
  payable_amount_minor?: number;
  remark_code?: string | null;
  /** A picture's signed URL. */
  url?: string;
  data?: { id: string; status?: string; order_id?: string | null; amount_minor?: number }[];
}

export interface Answered {
  status: number;
  body: AnswerBody;
  headers: Headers;
}

let requests = 0;

/** How many requests were sent. */
export const requestCount = () => requests;

/** Sends one request to the program of this turn; an unexpected response is a fault. */
export async function ask(world: SideBySide, turn: number, call: Call): Promise<Answered> {
  const place = turn % world.apis.length;
  const program = world.apis[place];
  const method = call.method ?? (call.body === undefined && call.form === undefined ? "GET" : "POST");
  requests += 1;
  const summary = `${method} ${call.path.replaceAll(/[a-z]{2,4}_(?:test_)?\w{20,}/g, "…")} at ${place === 0 ? "the first" : "the second"}`;
  const body = call.form ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
  try {
    const answer = await fetch(`${program?.url}${call.path}`, {
      method,
      headers: {
        ...(call.shop === undefined ? {} : { authorization: `Bearer ${call.shop.key}` }),
        ...(call.body === undefined ? {} : { "content-type": "application/json" }),
        ...call.headers,
      },
      signal: AbortSignal.timeout(60_000),
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    const wanted = call.status ?? 200;
    if (answer.status !== wanted) world.faults.add(`${summary}: ${answer.status} instead of ${wanted}: ${text.slice(0, 300)}`);
    return { status: answer.status, body: text.startsWith("{") ? JSON.parse(text) : {}, headers: answer.headers };
  } catch (error) {
    world.faults.add(`${summary}: ${(error as Error).message} ${String((error as Error).cause ?? "")}`);
    return { status: 0, body: {}, headers: new Headers() };
  }
}
