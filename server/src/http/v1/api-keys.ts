import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { changeApiKey, createApiKey, listApiKeys, listFlatPathUses, revokeApiKey, rotateApiKey, scopesOfRole } from "#identity/index.ts";
import { cutPage } from "#platform/index.ts";
import {
  type App,
  building,
  cursorOf,
  listOf,
  listQuery,
  listUrl,
  looking,
  pageErrors,
  readIfMatch,
  readList,
  refuseNewOwner,
  showList,
  showUnpaged,
} from "#requests/index.ts";
import { type ApiKeyShape, type FlatUseShape, keyChangeIn, keyIn, pathOf, refTo, rotationIn, showKey } from "#schemas/index.ts";

const tags = ["API keys"];
const params = pathOf("projectId", "id");
const key = { 200: refTo<ApiKeyShape>("ApiKey") };
const write = { scope: "session", roles: building, confirmed: true, refusesNewOwners: true } as const;

/** Only people can create and revoke keys: a leaked key must not create another. */
export const apiKeyRoutes: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app);
  createRoute(app);
  changeRoute(app);
  revokeRoute(app);
  rotateRoute(app);
  flatUsesRoute(app);
};

/** The person's own permissions in the key's environment: a key can't have more than its creator. */
function grantableBy(request: FastifyRequest, livemode: boolean): ReadonlySet<string> {
  const role = request.principal.visitor?.role ?? null;
  return role === null ? new Set() : scopesOfRole(role, livemode);
}

function listRoute(app: App): void {
  app.get(
    "/projects/:projectId/api-keys",
    {
      config: { scope: "session", roles: looking, errors: pageErrors },
      schema: {
        operationId: "listApiKeys",
        tags,
        summary: "List API keys",
        description: "The project's keys in the request's environment, including revoked and expired ones.",
        params: pathOf("projectId"),
        querystring: listQuery({ created: false, status: ["active", "revoked", "expired"] }),
        response: { 200: listOf<ApiKeyShape>("ApiKey", "a key's ID") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const all = (await listApiKeys(request.ctx, request.tenant)).filter(
        (row) => query.status.length === 0 || query.status.includes(row.status),
      );
      const { rows, ...page } = cutPage(all, cursorOf(query));
      return showList({ url: listUrl(request.tenant, "api-keys"), data: rows.map((row) => showKey(row)), ...page });
    },
  );
}

function createRoute(app: App): void {
  app.post(
    "/projects/:projectId/api-keys",
    {
      config: { ...write, errors: ["parameter_conflict", "limit_reached"] },
      schema: {
        operationId: "createApiKey",
        tags,
        summary: "Create an API key",
        description: "The response contains the key itself, which is never shown again.",
        params: pathOf("projectId"),
        body: keyIn,
        response: { 201: refTo<ApiKeyShape>("ApiKey") },
      },
    },
    async (request, reply) => {
      const { name, permissions, environment, allowed_ips, expires_at, receiving_account = null } = request.body;
      const livemode = environment === undefined ? request.tenant.livemode : environment === "live";
      if (livemode) refuseNewOwner(request);
      const made = await createApiKey(request.ctx, {
        project_id: request.tenant.project_id,
        ...{ livemode, name, permissions, receiving_account },
        grantable: grantableBy(request, livemode),
        ...(allowed_ips === undefined ? {} : { allowed_ips }),
        expires_at: expires_at == null ? null : new Date(expires_at),
      });
      return reply.code(201).send(showKey(made, made.secret));
    },
  );
}

function changeRoute(app: App): void {
  app.patch(
    "/projects/:projectId/api-keys/:id",
    {
      config: { ...write, errors: ["resource_missing", "version_conflict", "parameter_conflict"] },
      schema: { operationId: "updateApiKey", tags, summary: "Update an API key", params, body: keyChangeIn, response: key },
    },
    async (request) => {
      const { expires_at, ...rest } = request.body;
      const { livemode } = request.tenant;
      const changed = await changeApiKey(request.ctx, request.tenant, {
        ...rest,
        ...(expires_at === undefined ? {} : { expires_at: expires_at === null ? null : new Date(expires_at) }),
        id: request.params.id,
        if_version: readIfMatch(request),
        grantable: grantableBy(request, livemode),
      });
      app.keys.evict(changed.id);
      return showKey(changed);
    },
  );
}

function revokeRoute(app: App): void {
  app.delete(
    "/projects/:projectId/api-keys/:id",
    {
      config: { ...write, errors: ["resource_missing"] },
      schema: {
        operationId: "revokeApiKey",
        tags,
        summary: "Revoke an API key",
        description: "It stops working immediately; on other servers of this installation, within ten seconds.",
        params,
        response: { 200: refTo<{ id: string; object: string; deleted: true }>("Deleted") },
      },
    },
    async (request) => {
      const { id } = await revokeApiKey(request.ctx, request.tenant, { id: request.params.id });
      app.keys.evict(id);
      return { id, object: "api_key", deleted: true as const };
    },
  );
}

function rotateRoute(app: App): void {
  app.post(
    "/projects/:projectId/api-keys/:id/rotate",
    {
      config: { ...write, errors: ["resource_missing", "parameter_conflict", "limit_reached"] },
      schema: {
        operationId: "rotateApiKey",
        tags,
        summary: "Rotate an API key",
        description:
          "Returns a new key with the same permissions, which is never shown again. The old key stops working immediately, or after the overlap.",
        params,
        body: rotationIn,
        response: key,
      },
    },
    async (request) => {
      const { id } = request.params;
      const { livemode } = request.tenant;
      const rotated = await rotateApiKey(request.ctx, request.tenant, { id, ...request.body, grantable: grantableBy(request, livemode) });
      app.keys.evict(id);
      return showKey(rotated, rotated.secret);
    },
  );
}

function flatUsesRoute(app: App): void {
  app.get(
    "/projects/:projectId/flat-path-uses",
    {
      config: { scope: "session", roles: looking },
      schema: {
        operationId: "listFlatPathUses",
        tags,
        summary: "List uses of deprecated paths",
        description: "One entry for each key and endpoint, the most recent use first. Times are accurate to within seconds.",
        params: pathOf("projectId"),
        querystring: listQuery({ page: "whole", created: false }),
        response: { 200: listOf<FlatUseShape>("FlatPathUse", "always null, because everything is on one page") },
      },
    },
    async (request) => {
      const rows = await listFlatPathUses(request.ctx.db, request.tenant);
      const data = rows.map((row) => ({ id: `${row.key_id} ${row.endpoint}`, object: "flat_path_use" as const, ...row }));
      return showUnpaged<FlatUseShape>({ url: listUrl(request.tenant, "flat-path-uses"), data }, request.query);
    },
  );
}
