import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Claim, fingerprintOf, narrow, readIdempotencyKey } from "#platform/index.ts";
import { liftedTextsOf } from "../messaging/bodies/parse-apart.ts";
import { wholeFingerprints } from "../messaging/bodies/whole-fingerprints.ts";
import { pathOf } from "../path-of.ts";
import { actorOf } from "./authenticate.ts";
import { canonicalBody } from "./canonical-body.ts";

/** Gives the request its context, with its Idempotency-Key when it has one. Runs after validation. */
export function bindContext(app: FastifyInstance, request: FastifyRequest): void {
  request.ctx = narrow(app.house.ctx, { actor: actorOf(request.principal), requestId: request.id, claim: null }, app.house.database);
  bindClaim(app, request);
}

/** Puts the request's Idempotency-Key into its context; needs `request.tenant`. */
export function bindClaim(app: FastifyInstance, request: FastifyRequest): void {
  const claim = request.route.config.upload === true ? claimLater(request) : claimOf(request, request.body);
  request.claim = claim;
  if (claim !== null) request.ctx = narrow(request.ctx, { claim }, app.house.database);
}

/** An answer that an earlier request with the same key got says so. */
export function sayReplayed(request: FastifyRequest, reply: FastifyReply): void {
  if (request.claim?.replayed === true) reply.header("idempotent-replayed", "true");
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

/** What describes the body, in whichever place the route keeps it. */
function bodySchemaOf({ route: { config, schema } }: FastifyRequest): unknown {
  return config.document ?? config.form ?? schema?.body;
}

/** The concrete path; an alias counts as the path that it stands for, so that a retry may use either. */
function canonicalPath(request: FastifyRequest): string {
  const path = pathOf(request.url);
  if (request.route.config.aliasOf === undefined) return path;
  return path.replace("/api/v1/", `/api/v1/projects/${request.tenant.project_id}/`);
}
