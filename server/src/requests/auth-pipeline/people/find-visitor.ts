import type { FastifyInstance, FastifyRequest } from "fastify";
import { authenticateSession, createTokenReader, identityErrors, type Principal, type Visitor } from "#identity/index.ts";
import { platformErrors } from "#platform/index.ts";
import { checkOrigin } from "./check-origin.ts";
import { merchantOf, projectOf } from "./project-of.ts";

const readers = new WeakMap<object, ReturnType<typeof createTokenReader>>();

/** The session of a request without a key: its person, as the merchant of the project in the address. Throws authentication_required. */
export async function findVisitor(app: FastifyInstance, request: FastifyRequest): Promise<Principal> {
  const token = readerOf(app)(request.headers.cookie);
  if (token === null) throw identityErrors.authentication_required();
  const principal = await authenticate(app, request, token);
  if (principal === null) throw identityErrors.authentication_required({ message: "This session has ended. Sign in again." });
  checkOrigin(request, app.runtime.ctx.publicUrl);
  return principal;
}

/** The signed-in person of a public route; null without a session, or if it has ended: its cookie can outlive it by days. */
export async function findOptionalVisitor(app: FastifyInstance, request: FastifyRequest): Promise<Visitor | null> {
  const token = sessionTokenOf(app, request);
  return token === null ? null : ((await authenticate(app, request, token))?.visitor ?? null);
}

function authenticate(app: FastifyInstance, request: FastifyRequest, token: string): Promise<Principal | null> {
  return authenticateSession(app.runtime.ctx, token, {
    project_id: projectOf(request) ?? null,
    merchant_id: merchantOf(request),
    livemode: readEnvironment(request),
  });
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
