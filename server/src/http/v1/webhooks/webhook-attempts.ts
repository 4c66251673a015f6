import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { type App, cursorOf, listOf, listQuery, listUrl, many, readList, showList } from "#requests/index.ts";
import { type AttemptShape, attemptStatuses, attemptTriggers, pathOf, refTo, showAttempt } from "#schemas/index.ts";
import { findAttempt, listAttempts } from "#webhooks/index.ts";

const tags = ["Webhooks"];
const errors = ["resource_missing", "endpoint_removed"];

/** The record of requests and responses. */
export const webhookAttemptRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/projects/:projectId/webhooks/:id/attempts",
    {
      config: { scope: "webhooks:read", errors: [...errors, "invalid_cursor", "parameter_conflict"] },
      schema: {
        operationId: "listWebhookAttempts",
        tags,
        summary: "List delivery attempts",
        params: pathOf("projectId", "id"),
        querystring: listQuery({
          status: attemptStatuses,
          more: {
            event_id: many("Only attempts for these events. Can be repeated."),
            event: many("Only attempts for events with these names or in these families, such as `order.*`. Can be repeated."),
            trigger: many("Only attempts made for these reasons. Can be repeated.", { enum: [...attemptTriggers] }),
          },
        }),
        response: { 200: listOf<AttemptShape>("WebhookAttempt", "an attempt's ID") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const named = (name: string) => (request.query[name] as string[] | undefined) ?? null;
      const { rows, ...page } = await listAttempts(request.ctx, request.tenant, {
        endpoint_id: request.params.id,
        ...cursorOf(query),
        status: query.status.length === 0 ? null : query.status,
        event_id: named("event_id"),
        event: named("event"),
        trigger: named("trigger"),
        created: query.created,
      });
      const url = listUrl(request.tenant, `webhooks/${request.params.id}/attempts`);
      return showList({ url, data: rows.map(showAttempt), ...page });
    },
  );
  attemptRoute(app);
};

function attemptRoute(app: App): void {
  app.get(
    "/projects/:projectId/webhooks/:id/attempts/:attemptId",
    {
      config: { scope: "webhooks:read", errors },
      schema: {
        operationId: "getWebhookAttempt",
        tags,
        summary: "Retrieve a delivery attempt",
        params: pathOf("projectId", "id", "attemptId"),
        response: { 200: refTo<AttemptShape>("WebhookAttempt") },
      },
    },
    async (request) =>
      showAttempt(await findAttempt(request.ctx, request.tenant, { endpoint_id: request.params.id, id: request.params.attemptId })),
  );
}
