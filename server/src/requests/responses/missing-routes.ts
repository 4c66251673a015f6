import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { platformErrors } from "#platform/index.ts";
import { pathOf } from "../path-of.ts";
import { linkSuccessor } from "./link-successor.ts";
import { findMeantPath, type RoutePath } from "./meant-path.ts";

interface KnownPath extends RoutePath {
  pattern: RegExp;
  methods: Set<string>;
}

const knownPaths = new WeakMap<object, Map<string, KnownPath>>();

/** Responds to requests without a route: 405 with `Allow` if the path exists with other methods, otherwise 404. */
export function answerMissingRoutes(app: FastifyInstance): void {
  const known = new Map<string, KnownPath>();
  knownPaths.set(app.server, known);
  app.addHook("onRoute", (route) => {
    if (route.url === "*" || route.url.endsWith("/*")) return;
    const path = known.get(route.url) ?? {
      pattern: patternOf(route.url),
      template: route.url,
      aliasOf: route.config?.aliasOf ?? null,
      methods: new Set(),
    };
    for (const method of [route.method].flat()) path.methods.add(method);
    known.set(route.url, path);
  });
  app.setNotFoundHandler((request, reply) => refuseMissingRoute(app, request, reply));
}

/** Throws route_missing or method_not_allowed for a request, counted against its credentials or its address. */
export async function refuseMissingRoute(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Promise<never> {
  const refusal = await app.countUnrouted({ request, reply });
  if (refusal !== null) throw refusal;
  const path = pathOf(request.url);
  const known = [...(knownPaths.get(app.server)?.values() ?? [])];
  const matching = known.filter(({ pattern }) => pattern.test(path));
  const methods = [...new Set(matching.flatMap((one) => [...one.methods]))].sort();
  if (methods.length > 0) {
    const successor = matching.find(({ aliasOf }) => aliasOf !== null)?.aliasOf;
    if (successor != null) linkSuccessor(reply, successor);
    const allow = methods.join(", ");
    throw platformErrors.method_not_allowed({
      message: `${request.method} isn't supported here. This route supports ${allow}.`,
      headers: { allow },
    });
  }
  const meant = findMeantPath(path, known);
  throw platformErrors.route_missing(meant === null ? {} : { message: `No such route. ${meant}` });
}

function patternOf(url: string): RegExp {
  const parts = url.split("/").map((part) => (part.startsWith(":") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
  return new RegExp(`^${parts.join("/")}$`);
}
