import type { FastifyInstance, FastifyRequest } from "fastify";
import { authenticateSession, createTokenReader, identityErrors, type Principal } from "#identity/index.ts";
import { platformErrors } from "#platform/index.ts";
import { checkOrigin } from "./check-origin.ts";
import { merchantOf, projectOf } from "./project-of.ts";

const readers = new WeakMap<object, ReturnType<typeof createTokenReader>>();

/** The session of a request without a key: its person, as the merchant of the project in the address. Throws authentication_required. */
export async function findVisitor(app: FastifyInstance, request: FastifyRequest): Promise<Principal> {
  const { ctx } = app.runtime;
  const token = readerOf(app)(request.headers.cookie);
  if (token === null) throw identityErrors.authentication_required();
  const livemode = readEnvironment(request);
  const principal = await authenticateSession(ctx, token, {
    project_id: projectOf(request) ?? null,
    merchant_id: merchantOf(request),
    livemode,
  });
  if (principal === null) throw identityErrors.authentication_required({ message: "This session has ended. Sign in again." });
  checkOrigin(request, ctx.publicUrl);
  return principal;
}

/** True when a request carries a cookie of ours, whatever it is worth. */
export function hasSession(app: FastifyInstance, request: FastifyRequest): boolean {
  return sessionTokenOf(app, request) !== null;
}

/** The token in a cookie of ours, whether or not its session still lives. */
export function sessionTokenOf(app: FastifyInstance, request: FastifyRequest): string | null {
  return request.headers.cookie === undefined ? null : readerOf(app)(request.headers.cookie);
}

function readerOf(app: FastifyInstance): ReturnType<typeof createTokenReader> {
  let reader = readers.get(app.runtime);
  if (reader === undefined) readers.set(app.runtime, (reader = createTokenReader(app.runtime.ctx)));
  return reader;
}

/** The environment that a page says it shows, so that a second tab cannot flip the first; null: the session's own. */
function readEnvironment(request: FastifyRequest): boolean | null {
  const header = request.headers["tillpost-environment"];
  if (header === undefined) return null;
  const name = String(header).toLowerCase();
  if (name !== "test" && name !== "live") {
    throw platformErrors.parameter_invalid({
      param: "Tillpost-Environment",
      reason: "not_in_list",
      values: { allowed: ["test", "live"] },
      message: "Tillpost-Environment must be test or live.",
    });
  }
  return name === "live";
}
