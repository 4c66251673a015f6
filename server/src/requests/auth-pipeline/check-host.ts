import type { FastifyInstance, FastifyRequest } from "fastify";
import { clickPath, isLinkHost, openPath, unsubscribePath } from "#email/index.ts";
import { isLoopbackUrl } from "#platform/index.ts";
import { isMetricsReader } from "../request-metrics.ts";

/** Load balancers request these by address, and only see whether the process is healthy. */
const healthRoutes: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);
/** Targets of links in emails, and the files of those pages. */
const linkPaths = [unsubscribePath, clickPath, openPath, "/static/"];

const cacheMs = 60_000;
const unknownCacheMs = 10_000;
const cacheMax = 1_000;
const warnEveryMs = 60_000;

/** Whether this server accepts a request's host name; a promise only if the database must be queried. */
export type HostCheck = (request: FastifyRequest) => boolean | Promise<boolean>;

/**
 * Creates the check of `Host`: another site's name that points here must not become a page of ours in someone's browser, nor end up in a
 * cache. Allowed are the configured addresses, this machine's own names and, for links in emails, the hosts of senders' verified domains.
 */
export function createHostCheck(app: FastifyInstance): HostCheck {
  const { ctx, settings } = app.runtime;
  const addresses = [ctx.publicUrl, ctx.mail.baseUrl, ctx.mail.linksUrl ?? ctx.publicUrl].map((url) => new URL(url).host);
  const own = new Set([...addresses, ...settings.allowedHosts].map(hostName));
  const isOwn = (name: string | null) =>
    name !== null && (own.has(name) || (URL.canParse(`http://${name}`) && isLoopbackUrl(`http://${name}`)));
  const isLink = keepAnswers((name) => isLinkHost(ctx, name));
  const warn = createWarning(app);
  return (request) => {
    if (healthRoutes.has(request.route.url ?? "") || isMetricsReader(request, settings.metricsToken)) return true;
    const strange = requestedNames(request).filter((name) => !isOwn(name));
    if (strange.length === 0) return true;
    const [name = null] = strange;
    if (strange.length > 1 || name === null || !linkPaths.some((path) => request.url.startsWith(path))) return warn(request);
    return isLink(name, request.startedAtMs).then((found) => found || warn(request));
  };
}

/** Every name of this server in the request: a proxy may forward one, and the request line may have another. */
function requestedNames(request: FastifyRequest): (string | null)[] {
  const { host } = request.headers;
  const inLine = request.url.startsWith("/") || request.url === "*" ? [] : [URL.parse(request.url)?.host ?? ""];
  const forwarded = request.host === host || request.host === undefined ? [] : [request.host];
  return [...new Set([host ?? "", ...forwarded, ...inLine].map(hostName))];
}

/** A host without its port, in comparable form; null if it is invalid. */
function hostName(host: string): string | null {
  const [, name] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d*)?$/i.exec(host) ?? [];
  if (name === undefined) return null;
  const bare = name.toLowerCase().replace(/\.$/, "");
  return bare === "" ? null : bare;
}

type Ask = (name: string) => Promise<boolean>;

/** Caches results for a while, with a limit, so that a flood of invented names can't use all memory. */
function keepAnswers(ask: Ask): (name: string, nowMs: number) => Promise<boolean> {
  const cache = new Map<string, { found: boolean; untilMs: number }>();
  return async (name, nowMs) => {
    const known = cache.get(name);
    if (known !== undefined && nowMs < known.untilMs) return known.found;
    const found = await ask(name);
    if (cache.size >= cacheMax) cache.clear();
    cache.set(name, { found, untilMs: nowMs + (found ? cacheMs : unknownCacheMs) });
    return found;
  };
}

/** Logs, at most once a minute: a name that is missing in the settings looks like an attack. */
function createWarning(app: FastifyInstance): (request: FastifyRequest) => false {
  let silentUntilMs = 0;
  return ({ headers, host, startedAtMs }) => {
    if (startedAtMs < silentUntilMs) return false;
    silentUntilMs = startedAtMs + warnEveryMs;
    const names = { host: headers.host?.slice(0, 100), forwarded_host: host === headers.host ? undefined : host?.slice(0, 100) };
    app.runtime.ctx.log.warn(names, "refused a request for a host name that is neither PUBLIC_URL's nor in ALLOWED_HOSTS");
    return false;
  };
}
