import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { cutPage } from "#platform/index.ts";
import { type App, cursorOf, listOf, listQuery, listUrl, pageErrors, readIfMatch, readList, showList } from "#requests/index.ts";
import { pathOf, refTo, showWebhook, type WebhookShape, webhookChangeIn, webhookIn } from "#schemas/index.ts";
import {
  changeEndpoint,
  createEndpoint,
  type EndpointChange,
  findEndpoint,
  findStats,
  listEndpoints,
  removeEndpoint,
} from "#webhooks/index.ts";
import { answerWebhook } from "./answer-webhook.ts";

const tags = ["Webhooks"];
const params = pathOf("projectId", "id");
const gone = ["resource_missing", "endpoint_removed"];

/** Endpoints: which address receives which events. */
export const webhookRoutes: FastifyPluginAsyncTypebox = async (app) => {
  postWebhook(app);
  listRoute(app);
  getWebhook(app);
  patchWebhook(app);
  deleteWebhook(app);
};

function postWebhook(app: App): void {
  app.post(
    "/projects/:projectId/webhooks",
    {
      config: { scope: "webhooks:write", confirmed: true, errors: ["url_not_allowed", "limit_reached", "card_number_refused"] },
      schema: {
        operationId: "createWebhook",
        tags,
        summary: "Register a webhook endpoint",
        description: "Up to 16 in each environment. The response contains the secret that signs deliveries, which is never shown again.",
        params: pathOf("projectId"),
        body: webhookIn,
        response: { 201: refTo<WebhookShape>("Webhook") },
      },
    },
    async (request, reply) => {
      const { endpoint, secret } = await createEndpoint(request.ctx, request.tenant, request.body);
      return reply.code(201).send(await answerWebhook(request, endpoint, secret));
    },
  );
}

function listRoute(app: App): void {
  app.get(
    "/projects/:projectId/webhooks",
    {
      config: { scope: "webhooks:read", errors: pageErrors },
      schema: {
        operationId: "listWebhooks",
        tags,
        summary: "List webhook endpoints",
        params: pathOf("projectId"),
        querystring: listQuery({ created: false }),
        response: { 200: listOf<WebhookShape>("Webhook", "an endpoint's ID") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const all = await listEndpoints(request.ctx, request.tenant);
      const { rows, ...page } = cutPage(all, cursorOf(query));
      const stats = await findStats(
        request.ctx,
        request.tenant,
        rows.map((row) => row.id),
      );
      return showList({ url: listUrl(request.tenant, "webhooks"), data: rows.map((row) => showWebhook(row, stats.get(row.id))), ...page });
    },
  );
}

function getWebhook(app: App): void {
  app.get(
    "/projects/:projectId/webhooks/:id",
    {
      config: { scope: "webhooks:read", errors: gone },
      schema: {
        operationId: "getWebhook",
        tags,
        summary: "Retrieve a webhook endpoint",
        params,
        response: { 200: refTo<WebhookShape>("Webhook") },
      },
    },
    async (request) => answerWebhook(request, await findEndpoint(request.ctx, request.tenant, request.params.id)),
  );
}

function patchWebhook(app: App): void {
  app.patch(
    "/projects/:projectId/webhooks/:id",
    {
      config: { scope: "webhooks:write", confirmed: true, errors: [...gone, "url_not_allowed", "version_conflict", "card_number_refused"] },
      schema: {
        operationId: "updateWebhook",
        tags,
        summary: "Update a webhook endpoint",
        description: "Send the `version` you read as `If-Match` to avoid overwriting a change you haven't seen.",
        params,
        body: webhookChangeIn,
        response: { 200: refTo<WebhookShape>("Webhook") },
      },
    },
    async (request) => {
      const change: EndpointChange = {
        ...request.body,
        id: request.params.id,
        if_version: readIfMatch(request),
      };
      return answerWebhook(request, await changeEndpoint(request.ctx, request.tenant, change));
    },
  );
}

function deleteWebhook(app: App): void {
  app.delete(
    "/projects/:projectId/webhooks/:id",
    {
      config: { scope: "webhooks:write", confirmed: true, errors: gone },
      schema: {
        operationId: "deleteWebhook",
        tags,
        summary: "Delete a webhook endpoint",
        params,
        response: { 200: refTo<{ id: string; object: string; deleted: true }>("Deleted") },
      },
    },
    async (request) => {
      await removeEndpoint(request.ctx, request.tenant, request.params.id);
      return { id: request.params.id, object: "webhook", deleted: true as const };
    },
  );
}
