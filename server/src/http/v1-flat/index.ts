import type { FastifyInstance, RouteOptions } from "fastify";

const nested = "/api/v1/projects/:projectId/";
const families = /^(orders|webhooks|collection-profiles|gateways|api-keys)(\/|$)/;

/**
 * Gives each nested route of the five families its deprecated flat path: the same route under another address,
 * for the key's own project, with the headers that announce its end.
 */
export function aliasFlatPaths(app: FastifyInstance): void {
  const { flatPathsDeprecatedAt, flatPathsSunsetAt } = app.house.settings;
  const deprecation = `@${Math.floor(flatPathsDeprecatedAt.getTime() / 1000)}`;
  const sunset = flatPathsSunsetAt.toUTCString();

  app.addHook("onRoute", (route) => {
    if (!route.url.startsWith(nested) || route.method === "HEAD" || route.config?.aliasOf !== undefined) return;
    const rest = route.url.slice(nested.length);
    if (families.test(rest)) app.route(aliasOf(route, rest));
  });
  app.addHook("onRequest", (request, reply, done) => {
    if (request.routeOptions.config.aliasOf !== undefined) {
      reply.header("deprecation", deprecation);
      reply.header("sunset", sunset);
    }
    done();
  });
  app.addHook("preValidation", (request, reply, done) => {
    const { aliasOf: successor } = request.routeOptions.config;
    if (successor !== undefined) {
      const path = request.url.split("?", 1).join("").replace("/api/v1/", `/api/v1/projects/${request.tenant.project_id}/`);
      reply.header("link", `<${path}>; rel="successor-version"`);
      app.keys.countFlatUse(request.principal, `${request.method} ${successor}`);
    }
    done();
  });
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
