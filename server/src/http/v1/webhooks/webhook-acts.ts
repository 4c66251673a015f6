import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { promoteSecret, replayEvents, retryAttempt, rollSecret, sendTest } from "#webhooks/index.ts";
import type { App } from "../../house.ts";
import { pathOf, refTo, strict } from "../../schemas/fields.ts";
import { type AttemptShape, type ReplayShape, replayIn, showAttempt, showReplay, showWebhook, testIn, type WebhookShape } from "../../shapes/webhook.ts";

const tags = ["Webhooks"];
const params = pathOf("projectId", "id");
const gone = ["resource_missing", "endpoint_removed"];
const webhook = { 200: refTo<WebhookShape>("Webhook") };

/** What can be done with an endpoint that exists. */
export const webhookActRoutes: FastifyPluginAsyncTypebox = async (app) => {
  testRoute(app);
  rollRoute(app);
  promoteRoute(app);
  replayRoute(app);
  retryRoute(app);
};

function testRoute(app: App): void {
  app.post(
    "/projects/:projectId/webhooks/:id/test",
    {
      config: { scope: "webhooks:write", errors: [...gone, "concurrency_limited"] },
      schema: {
        operationId: "testWebhook",
        tags,
        summary: "Send a test event",
        description:
          "Sends a made-up event to this endpoint alone, now, and answers the attempt with its outcome. Takes as long as the endpoint does, at most 15 seconds.",
        params,
        body: testIn,
        response: { 200: refTo<AttemptShape>("WebhookAttempt") },
      },
    },
    async (request) => showAttempt(await sendTest(request.ctx, request.tenant, { endpoint_id: request.params.id, ...request.body })),
  );
}

function rollRoute(app: App): void {
  app.post(
    "/projects/:projectId/webhooks/:id/roll-secret",
    {
      config: { scope: "webhooks:write", fresh: true, errors: gone },
      schema: {
        operationId: "rollWebhookSecret",
        tags,
        summary: "Roll the secret",
        description:
          "Makes the next secret, shown this once. It signs `webhook-signature` beside the current one at once. `X-Service-Signature` changes over when you promote the secret, or after 24 hours.",
        params,
        body: strict({}),
        response: webhook,
      },
    },
    async (request) => {
      const { endpoint, secret } = await rollSecret(request.ctx, request.tenant, request.params.id);
      return showWebhook(endpoint, secret);
    },
  );
}

function promoteRoute(app: App): void {
  app.post(
    "/projects/:projectId/webhooks/:id/promote-secret",
    {
      config: { scope: "webhooks:write", fresh: true, errors: gone },
      schema: {
        operationId: "promoteWebhookSecret",
        tags,
        summary: "Promote the next secret",
        description: "The next secret keys `X-Service-Signature` from now on. The former one goes on signing `webhook-signature` for 24 hours.",
        params,
        body: strict({}),
        response: webhook,
      },
    },
    async (request) => showWebhook(await promoteSecret(request.ctx, request.tenant, request.params.id)),
  );
}

function replayRoute(app: App): void {
  app.post(
    "/projects/:projectId/webhooks/:id/replay",
    {
      config: { scope: "webhooks:write", errors: gone },
      schema: {
        operationId: "replayWebhookEvents",
        tags,
        summary: "Send missed events again",
        description: "Schedules every event since an instant that this endpoint subscribes to and has not received, with the same ids, fifty a second.",
        params,
        body: replayIn,
        response: { 200: refTo<ReplayShape>("WebhookReplay") },
      },
    },
    async (request) => showReplay(await replayEvents(request.ctx, request.tenant, { endpoint_id: request.params.id, since: new Date(request.body.since) })),
  );
}

function retryRoute(app: App): void {
  app.post(
    "/projects/:projectId/webhooks/:id/attempts/:attemptId/retry",
    {
      config: { scope: "webhooks:write", errors: [...gone, "concurrency_limited"] },
      schema: {
        operationId: "retryWebhookAttempt",
        tags,
        summary: "Send an attempt's event again",
        description: "Sends the same event, with the same id and bytes, now. Success ends its schedule; failure leaves the schedule as it was.",
        params: pathOf("projectId", "id", "attemptId"),
        body: strict({}),
        response: { 200: refTo<AttemptShape>("WebhookAttempt") },
      },
    },
    async (request) => showAttempt(await retryAttempt(request.ctx, request.tenant, { endpoint_id: request.params.id, attempt_id: request.params.attemptId })),
  );
}
