import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type ChosenPassword, limitAttempts } from "#identity/index.ts";
import { limitedAddress } from "#requests/index.ts";

export interface LibraryCall {
  path: string;
  method?: "GET" | "POST";
  body?: Record<string, unknown>;
  query?: Record<string, string>;
  merchantName?: string;
  openFor?: string;
  chosen?: ChosenPassword;
  passwordParam?: string;
  code?: string;
  link?: string;
  audit?(answer: Record<string, unknown>): string | null;
}

/** Passes a request to the sign-in library and its cookies back; the session's token stays in the cookie. */
export async function callLibrary(app: FastifyInstance, exchange: { request: FastifyRequest; reply: FastifyReply }, call: LibraryCall) {
  const { request, reply } = exchange;
  const visitor = request.principal?.visitor ?? null;
  const { body, cookies } = await app.signIn.call(request.ctx, {
    ...call,
    cookie: request.headers.cookie,
    userAgent: request.headers["user-agent"],
    address: request.ip,
    ...(visitor === null ? {} : { personId: visitor.id }),
  });
  if (cookies.length > 0) reply.header("set-cookie", cookies);
  return body;
}

/** Counts an attempt against the account and the address, or against a known device. */
export function countAttempt(
  app: FastifyInstance,
  request: FastifyRequest,
  given: { purpose: string; account: string; device?: string | null },
): Promise<void> {
  return limitAttempts(request.ctx, app.runtime.settings.signInLimits, { ...given, address: limitedAddress(request.ip) });
}

const hourMs = 3_600_000;
const mailsAnHour = 3;
/** Already counted by `countAttempt`. */
const uncounted = 1_000_000;

/** Counts emails that a stranger can trigger for an account: three an hour of each kind, whatever the sender's address. */
export function countMail(request: FastifyRequest, given: { purpose: string; account: string }): Promise<void> {
  const limits = { perPair: uncounted, perAddress: uncounted, perAccount: mailsAnHour };
  const { purpose, account } = given;
  return limitAttempts(request.ctx, limits, {
    purpose: `mail of ${purpose}`,
    account,
    address: limitedAddress(request.ip),
    windowMs: hourMs,
  });
}
