import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Claim, fingerprintOf, narrow, readIdempotencyKey } from "#platform/index.ts";
import { pathOf } from "../answers/reply-with-errors.ts";
import { actorOf } from "./authenticate.ts";

/** Gives the request its context, with its Idempotency-Key when it has one. Runs after validation. */
export function bindContext(app: FastifyInstance, request: FastifyRequest): void {
  const { config } = request.routeOptions;
  const claim = config.upload === true ? claimLater(request) : claimOf(request, request.body);
  request.claim = claim;
  request.ctx = narrow(app.house.ctx, { actor: actorOf(request.principal), requestId: request.id, claim }, app.house.database);
}

/** For uploads: binds the key once the handler knows what stands for the body (the file's hash and the other fields). */
export function bindUpload(app: FastifyInstance, request: FastifyRequest, body: unknown): void {
  const claim = claimOf(request, body);
  request.claim = claim;
  request.ctx = narrow(request.ctx, { claim }, app.house.database);
}

/** A key that is none is refused before its form is read. */
function claimLater(request: FastifyRequest): null {
  claimOf(request, null);
  return null;
}

function claimOf(request: FastifyRequest, body: unknown): Claim | null {
  const header = request.headers["idempotency-key"];
  if (header === undefined || request.method !== "POST") return null;
  const key = readIdempotencyKey(String(header));
  return {
    ...request.tenant,
    method: "POST",
    path: canonicalPath(request),
    key,
    fingerprint: fingerprintOf(body ?? {}),
    replayed: false,
    used: false,
  };
}

/** The concrete path; an alias counts as the path that it stands for, so that a retry may use either. */
function canonicalPath(request: FastifyRequest): string {
  const path = pathOf(request.url);
  if (request.routeOptions.config.aliasOf === undefined) return path;
  return path.replace("/api/v1/", `/api/v1/projects/${request.tenant.project_id}/`);
}
