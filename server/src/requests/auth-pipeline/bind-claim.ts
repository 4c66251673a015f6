import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Claim, fingerprintOf, narrow, readIdempotencyKey } from "#platform/index.ts";
import { liftedTextsOf } from "../bodies/parse-apart.ts";
import { wholeFingerprints } from "../bodies/whole-fingerprints.ts";
import { pathOf } from "../path-of.ts";
import { actorOf } from "./authenticate.ts";
import { canonicalBody } from "./canonical-body.ts";

/** Gives the request its context, with its Idempotency-Key if it has one. Runs after validation. */
export function bindContext(app: FastifyInstance, request: FastifyRequest): void {
  bindContextAlone(app, request);
  bindClaim(app, request);
}

/** Gives the request its context and ignores its Idempotency-Key, because each request must be carried out. */
export function bindContextAlone(app: FastifyInstance, request: FastifyRequest): void {
  request.ctx = narrow(app.runtime.ctx, { actor: actorOf(request.principal), requestId: request.id, claim: null }, app.runtime.database);
}

/** Puts the request's Idempotency-Key into its context; needs `request.tenant`. */
export function bindClaim(app: FastifyInstance, request: FastifyRequest): void {
  const claim = request.route.config.upload === true ? claimLater(request) : claimOf(request, request.body);
  request.claim = claim;
  if (claim !== null) request.ctx = narrow(request.ctx, { claim }, app.runtime.database);
}

/** Marks a response that an earlier request with the same key got. */
export function sayReplayed(request: FastifyRequest, reply: FastifyReply): void {
  if (request.claim?.replayed === true) reply.header("idempotent-replayed", "true");
}

/** For uploads: binds the key once the handler knows the body's fingerprint (the file's hash and the other fields). */
export function bindUpload(app: FastifyInstance, request: FastifyRequest, body: unknown): void {
  const claim = claimOf(request, body);
  request.claim = claim;
  request.ctx = narrow(request.ctx, { claim }, app.runtime.database);
}

/** Rejects an invalid Idempotency-Key before the upload is read. */
function claimLater(request: FastifyRequest): null {
  claimOf(request, null);
  return null;
}

function claimOf(request: FastifyRequest, body: unknown): Claim | null {
  const header = request.headers["idempotency-key"];
  if (header === undefined || request.method !== "POST") return null;
  const key = readIdempotencyKey(String(header));
  const [given, compared] = [body ?? {}, canonicalBody(body ?? {}, bodySchemaOf(request))];
  const texts = liftedTextsOf(body);
  return {
    ...request.tenant,
    method: "POST",
    path: canonicalPath(request),
    key,
    fingerprint: fingerprintOf(compared),
    former_fingerprint: fingerprintOf(given),
    ...(texts.size === 0 ? {} : { findWholeFingerprints: wholeFingerprints([compared, given], texts) }),
    replayed: false,
    used: false,
  };
}

/** The schema of the body, in either of a route's places. */
function bodySchemaOf({ route: { config, schema } }: FastifyRequest): unknown {
  return config.document ?? config.form ?? schema?.body;
}

/** The concrete path; an alias counts as its target, so that a retry can use either. */
function canonicalPath(request: FastifyRequest): string {
  const path = pathOf(request.url);
  if (request.route.config.aliasOf === undefined) return path;
  return path.replace("/api/v1/", `/api/v1/projects/${request.tenant.project_id}/`);
}
