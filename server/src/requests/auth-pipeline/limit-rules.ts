import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Principal } from "#identity/index.ts";
import { limitOf, readTierLimits, type Tier } from "#messaging/index.ts";
import type { LimitBucket, LimitRule } from "#platform/index.ts";

const minuteMs = 60_000;
const hourMs = 3_600_000;

/** The subject of a request's limit. */
export interface RequestLimit {
  bucket: LimitBucket;
  rule: LimitRule;
  /** Concurrent requests of one key. */
  burst: number;
  /** Prefix of the key's id in the count of concurrent requests: the two APIs have separate limits. */
  keyPrefix: string;
  /** The endpoint, or the group of endpoints, in words. */
  scope: string;
}

type ByPrincipal = (principal: Principal) => RequestLimit;

/** Finds the limit of each request: looked up once a route, and from then on by the route's own config object. */
export function createLimitRules(app: FastifyInstance): (request: FastifyRequest, principal: Principal) => RequestLimit {
  const known = new WeakMap<object, ByPrincipal>();
  const { payments, messaging } = createRules(app);
  return (request, principal) => {
    const { config } = request.route;
    let found = known.get(config);
    if (found === undefined) {
      const endpoint = endpointOf(request);
      found = endpoint.includes(" /v1/") ? messaging(endpoint) : payments(endpoint);
      known.set(config, found);
    }
    return found(principal);
  };
}

/**
 * Finds the limit of a request that no route takes: one window for all of them, on the payments API; on the messaging API that of all other
 * endpoints.
 */
export function createUnroutedLimit(app: FastifyInstance): (request: FastifyRequest, principal: Principal) => RequestLimit {
  const { payments, messaging } = createRules(app);
  const [ofPayments, ofMessaging] = [payments("unknown routes"), messaging("unknown routes")];
  return ({ url }, principal) => (url.startsWith("/v1/") ? ofMessaging : ofPayments)(principal);
}

function createRules(app: FastifyInstance): Record<"payments" | "messaging", (endpoint: string) => ByPrincipal> {
  const { perMinuteLive, perMinuteTest, burst, tierLimits } = app.runtime.settings;
  const tiers = readTierLimits(app.runtime.ctx.channels.all, tierLimits);
  const payments = (scope: string): ByPrincipal => {
    const shared = { bucket: app.limits.bucket(scope), burst, keyPrefix: "", scope };
    const live = { ...shared, rule: { limit: perMinuteLive, windowMs: minuteMs } };
    const test = { ...shared, rule: { limit: perMinuteTest, windowMs: minuteMs } };
    return (principal) => (principal.livemode ? live : test);
  };
  const messaging = (endpoint: string): ByPrincipal => {
    const { scope, limit, windowMs } = messagingClass(endpoint);
    const bucket = app.limits.bucket(scope);
    const byTier = Object.fromEntries(
      Object.entries(tiers).map(([tier, limits]) => {
        const rule = { limit: limitOf(limits, limit), windowMs };
        return [tier, { bucket, rule, burst: limits.burst, keyPrefix: "/v1 ", scope } satisfies RequestLimit];
      }),
    ) as Record<Tier, RequestLimit>;
    return (principal) => byTier[principal.messaging_tier];
  };
  return { payments, messaging };
}

/** Method and template; HEAD is a GET, and an alias counts as its target. */
function endpointOf({ method, route }: FastifyRequest): string {
  return `${method === "HEAD" ? "GET" : method} ${route.config.aliasOf ?? route.url ?? ""}`;
}

interface EndpointClass {
  scope: string;
  /** The name of a tier's limit. */
  limit: string;
  windowMs: number;
}

const named: Readonly<Record<string, [limit: EndpointClass["limit"], windowMs: number]>> = {
  "POST /v1/emails": ["emails", minuteMs],
  "POST /v1/sms": ["sms", minuteMs],
  "POST /v1/calls": ["calls", minuteMs],
  "POST /v1/verifications": ["verifications", minuteMs],
  "POST /v1/verifications/:id/resend": ["verifications", minuteMs],
  "POST /v1/emails/batch": ["email_batches", hourMs],
  "POST /v1/sms/batch": ["sms_batches", hourMs],
};

/** The limit of an endpoint of the messaging API. What is not named shares one window; what changes settings shares an hourly one. */
export function messagingClass(endpoint: string): EndpointClass {
  const own = named[endpoint];
  if (own !== undefined) return { scope: endpoint, limit: own[0], windowMs: own[1] };
  if (endpoint.startsWith("GET ")) return { scope: endpoint, limit: "reads", windowMs: minuteMs };
  if (/^\w+ \/v1\/(domains|numbers|suppressions|webhooks)(\/|$)/.test(endpoint))
    return { scope: "changes of settings", limit: "control", windowMs: hourMs };
  return { scope: "all other endpoints", limit: "general", windowMs: minuteMs };
}
