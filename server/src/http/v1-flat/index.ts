import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction, RouteOptions } from "fastify";
import { pathOf } from "../answers/reply-with-errors.ts";

const nested = "/api/v1/projects/:projectId/";
const families = /^(orders|webhooks|collection-profiles|gateways|api-keys)(\/|$)/;

/** Gives each nested route of the five families its deprecated flat path: the same route under another address, for the key's own project. */
export function aliasFlatPaths(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    if (!route.url.startsWith(nested) || route.method === "HEAD" || route.config?.aliasOf !== undefined) return;
    const rest = route.url.slice(nested.length);
    if (families.test(rest)) app.route(aliasOf(route, rest));
  });
}

/**
 * Makes what a surface calls before its gate: it announces the end of a flat path on every answer, refusals included, and hands back
 * what the gate calls when it is done, which adds the successor's address once the project is known.
 */
export function createAnnouncer(
  app: FastifyInstance,
): (exchange: { request: FastifyRequest; reply: FastifyReply }, done: HookHandlerDoneFunction) => HookHandlerDoneFunction {
  const { flatPathsDeprecatedAt, flatPathsSunsetAt } = app.house.settings;
  const headers = { deprecation: `@${Math.floor(flatPathsDeprecatedAt.getTime() / 1000)}`, sunset: flatPathsSunsetAt.toUTCString() };
  return ({ request, reply }, done) => {
    const { aliasOf: successor } = request.route.config;
    if (successor === undefined) return done;
    reply.headers(headers);
    // Without a project that the credentials reach, the path with its place left open.
    reply.header("link", `<${successor.replaceAll(/:(\w+)/g, "{$1}")}>; rel="successor-version"`);
    return (error) => {
      if (request.tenant !== null) {
        const path = pathOf(request.url).replace("/api/v1/", `/api/v1/projects/${request.tenant.project_id}/`);
        reply.header("link", `<${path}>; rel="successor-version"`);
        if (request.principal.kind === "api_key") app.keys.countFlatUse(request.principal, `${request.method} ${successor}`);
      }
      done(error);
    };
  };
}

function aliasOf(route: RouteOptions, rest: string): RouteOptions {
  const schema = { ...(route.schema as Record<string, unknown>), deprecated: true, params: withoutProject(route.schema?.params) };
  return { ...route, url: `/${rest}`, schema, config: { ...route.config, aliasOf: route.url } };
}

function withoutProject(params: unknown): unknown {
  const given = params as { properties?: Record<string, unknown>; required?: string[] } | undefined;
  if (given?.properties === undefined) return params;
  const { projectId: _own, ...properties } = given.properties;
  return { ...given, properties, required: (given.required ?? []).filter((name) => name !== "projectId") };
}
