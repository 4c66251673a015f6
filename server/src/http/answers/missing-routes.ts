import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { platformErrors } from "#platform/index.ts";
import { countAddress } from "../gate/authenticate.ts";
import { pathOf } from "./reply-with-errors.ts";

interface KnownPath {
  pattern: RegExp;
  methods: Set<string>;
}

const knownPaths = new WeakMap<object, Map<string, KnownPath>>();

/** Answers what no route matches: 405 with `Allow` when the path exists under other methods, else 404. */
export function answerMissingRoutes(app: FastifyInstance): void {
  const known = new Map<string, KnownPath>();
  knownPaths.set(app.server, known);
  app.addHook("onRoute", (route) => {
    if (route.url === "*" || route.url.endsWith("/*")) return;
    const path = known.get(route.url) ?? { pattern: patternOf(route.url), methods: new Set() };
    for (const method of [route.method].flat()) path.methods.add(method);
    known.set(route.url, path);
  });
  app.setNotFoundHandler((request, reply) => refuseMissingRoute(app, request, reply));
}

/** Throws route_missing or method_not_allowed for a request, counted against its address. */
export async function refuseMissingRoute(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Promise<never> {
  if (!(await countAddress(app, { request, reply }))) throw platformErrors.rate_limited();
  const path = pathOf(request.url);
  const known = [...(knownPaths.get(app.server)?.values() ?? [])];
  const allowed = known.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods]);
  if (allowed.length === 0) throw platformErrors.route_missing();
  throw platformErrors.method_not_allowed({ headers: { allow: [...new Set(allowed)].sort().join(", ") } });
}

function patternOf(url: string): RegExp {
  const parts = url.split("/").map((part) => (part.startsWith(":") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
  return new RegExp(`^${parts.join("/")}$`);
}
