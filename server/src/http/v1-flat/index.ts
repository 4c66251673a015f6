import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction, RouteOptions } from "fastify";
import { linkSuccessor, pathOf } from "#requests/index.ts";

const nested = "/api/v1/projects/:projectId/";
const families = /^(orders|webhooks|collection-profiles|gateways|api-keys)(\/|$)/;
const flatPath = /^\/api\/v1\/(orders|webhooks|collection-profiles|gateways|api-keys)(?:[/?]|$)/;

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Gives each nested route of the five families its deprecated flat path: the same route at another address, for the key's own project. */
export function aliasFlatPaths(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    if (!route.url.startsWith(nested) || route.method === "HEAD" || route.config?.aliasOf !== undefined) return;
    const rest = route.url.slice(nested.length);
    if (families.test(rest)) app.route(aliasOf(route, rest));
  });
}

/** Announces the end of a flat path: every response has the headers, including refusals without a route. */
export function announceEnd(app: FastifyInstance, { request, reply }: Exchange): void {
  const family = flatPath.exec(request.url)?.[1];
  if (family === undefined) return;
  const { flatPathsDeprecatedAt, flatPathsSunsetAt } = app.runtime.settings;
  reply.header("deprecation", `@${Math.floor(flatPathsDeprecatedAt.getTime() / 1000)}`).header("sunset", flatPathsSunsetAt.toUTCString());
  linkSuccessor(reply, request.route?.config?.aliasOf ?? nested + family);
}

/** Called when the checks are done: sets the replacement's concrete address once the project is known, and counts the use. */
export function afterPipeline(app: FastifyInstance, { request, reply }: Exchange, done: HookHandlerDoneFunction): HookHandlerDoneFunction {
  const { aliasOf: successor } = request.route.config;
  if (successor === undefined) return done;
  return (error) => {
    if (request.tenant !== null) {
      linkSuccessor(reply, pathOf(request.url).replace("/api/v1/", `/api/v1/projects/${request.tenant.project_id}/`));
      if (request.principal.kind === "api_key") app.keys.countFlatUse(request.principal, `${request.method} ${successor}`);
    }
    done(error);
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
