import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createInFlight, type InFlight, type LimitRule, platformErrors, type Taken } from "#platform/index.ts";
import { type LinkLimit, limitedAddress, writeLimitHeaders } from "#requests/index.ts";

const minuteMs = 60_000;
const hourMs = 3_600_000;

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

type TokenLimit = Exclude<LinkLimit, "address">;

/** A request's share of its token's window. */
const places = new WeakMap<FastifyRequest, { limit: TokenLimit; taken: Taken }>();

/** Counts every request of a link's holder by address and, if it has one, by token; and concurrent event streams. */
export function limitLinks(app: FastifyInstance): void {
  const streams = createInFlight({ waitMs: 0, depthFactor: 0 });
  app.addHook("onRequest", async (request, reply) => {
    const limit = request.route.config.linkLimit;
    if (limit === undefined) return;
    await countLink(app, { request, reply }, limit);
    if (limit === "stream") enterStream(app, { request, reply }, streams);
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    if (reply.statusCode === 503) releaseLimit(app, { request, reply });
    done(null, payload);
  });
}

/** The headers show the window of the token, which is the smaller one, unless the address caused the refusal. */
async function countLink(app: FastifyInstance, { request, reply }: Exchange, limit: LinkLimit): Promise<void> {
  const { settings } = app.runtime;
  const byAddress: LimitRule = { limit: settings.perMinuteLinkReadsPerAddress, windowMs: minuteMs };
  const address = await app.limits.bucket("link address").take(limitedAddress(request.ip), byAddress, request.startedAtMs);
  if (!address.allowed || limit === "address") writeLimitHeaders(reply, address);
  if (!address.allowed) throw platformErrors.rate_limited();
  if (limit === "address") return;
  const rules: Record<TokenLimit, LimitRule> = {
    read: { limit: settings.perMinuteLinkReads, windowMs: minuteMs },
    stream: { limit: settings.perMinuteLinkReads, windowMs: minuteMs },
    initiate: { limit: settings.perMinuteLinkInitiate, windowMs: minuteMs },
    proof: { limit: settings.perHourLinkProofs, windowMs: hourMs },
  };
  const taken = await app.limits.bucket(`link ${limit}`).take(tokenOf(request), rules[limit], request.startedAtMs);
  writeLimitHeaders(reply, taken);
  if (!taken.allowed) throw platformErrors.rate_limited();
  places.set(request, { limit, taken });
}

/** Gives a request's place back, once, because it couldn't be processed. */
export function releaseLimit(app: FastifyInstance, { request, reply }: Exchange): void {
  const place = places.get(request);
  places.delete(request);
  if (place !== undefined) writeLimitHeaders(reply, app.limits.bucket(`link ${place.limit}`).release(tokenOf(request), place.taken));
}

function enterStream(app: FastifyInstance, { request, reply }: Exchange, streams: InFlight): void {
  // A client that left while a shared store counted sends no further event, which would free its places.
  if (reply.raw.closed) return;
  const token = `token ${tokenOf(request)}`;
  const address = `address ${limitedAddress(request.ip)}`;
  if (streams.enter(token, app.runtime.settings.streamsPerLink) !== true)
    throw platformErrors.concurrency_limited({ headers: { "retry-after": "5" } });
  if (streams.enter(address, app.runtime.settings.streamsPerAddress) !== true) {
    streams.leave(token);
    throw platformErrors.concurrency_limited({ headers: { "retry-after": "5" } });
  }
  reply.raw.once("close", () => {
    streams.leave(token);
    streams.leave(address);
  });
}

function tokenOf(request: FastifyRequest): string {
  return ((request.params as { token?: string }).token ?? "").slice(0, 64);
}
