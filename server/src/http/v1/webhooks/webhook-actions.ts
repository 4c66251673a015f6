import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import {
  type AttemptShape,
  pathOf,
  promoteIn,
  type ReplayShape,
  refTo,
  replayIn,
  rollIn,
  showAttempt,
  showReplay,
  strict,
  testIn,
  type WebhookShape,
} from "#schemas/index.ts";
import { checkEvent, promoteSecret, type ReplayInput, replayEvents, retryAttempt, rollSecret, sendTest } from "#webhooks/index.ts";
import type { App } from "../../runtime.ts";
import { answerWebhook } from "./answer-webhook.ts";
import { sampleData } from "./sample-event.ts";

const tags = ["Webhooks"];
const params = pathOf("projectId", "id");
const gone = ["resource_missing", "endpoint_removed"];
const webhook = { 200: refTo<WebhookShape>("Webhook") };

/** Actions on an existing endpoint. */
export const webhookActionRoutes: FastifyPluginAsyncTypebox = async (app) => {
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
          "Sends a sample event to this endpoint now and returns the attempt with its outcome. The event carries `test: true` and `livemode: false` in either environment, and appears in no list and no stream unless you ask for `include=tests`. Takes as long as the endpoint does, at most 15 seconds.",
        params,
        body: testIn,
        response: { 200: refTo<AttemptShape>("WebhookAttempt") },
      },
    },
    async (request) => {
      const event = checkEvent(request.body.event ?? "webhook.test");
      const data = event === "webhook.test" ? {} : { data: sampleData(event, request.ctx.now()) };
      return showAttempt(await sendTest(request.ctx, request.tenant, { endpoint_id: request.params.id, event, ...data }));
    },
  );
}

function rollRoute(app: App): void {
  app.post(
    "/projects/:projectId/webhooks/:id/roll-secret",
    {
      config: { scope: "webhooks:write", confirmed: true, errors: [...gone, "secret_roll_conflict"] },
      schema: {
        operationId: "rollWebhookSecret",
        tags,
        summary: "Roll the secret",
        description:
          "Makes the next secret, shown only in this response. It signs `webhook-signature` next to the current one at once. `X-Service-Signature` switches when you promote the secret, or after 24 hours. While a roll is open, another one is refused.",
        params,
        body: rollIn,
        response: webhook,
      },
    },
    async (request) => {
      const { endpoint, secret } = await rollSecret(request.ctx, request.tenant, { id: request.params.id, ...request.body });
      return answerWebhook(request, endpoint, secret);
    },
  );
}

function promoteRoute(app: App): void {
  app.post(
    "/projects/:projectId/webhooks/:id/promote-secret",
    {
      config: { scope: "webhooks:write", confirmed: true, errors: [...gone, "secret_roll_conflict"] },
      schema: {
        operationId: "promoteWebhookSecret",
        tags,
        summary: "Promote the next secret",
        description:
          "The next secret keys `X-Service-Signature` from now on. The old one still signs `webhook-signature` for 24 hours, unless `expire_old_now` ends it.",
        params,
        body: promoteIn,
        response: webhook,
      },
    },
    async (request) => answerWebhook(request, await promoteSecret(request.ctx, request.tenant, { id: request.params.id, ...request.body })),
  );
}

function replayRoute(app: App): void {
  app.post(
    "/projects/:projectId/webhooks/:id/replay",
    {
      config: { scope: "webhooks:write", errors: [...gone, "endpoint_disabled"] },
      schema: {
        operationId: "replayWebhookEvents",
        tags,
        summary: "Send missed events again",
        description:
          "Schedules every event since `since` that this endpoint subscribes to and has not received, with the same ids, fifty a second. A disabled endpoint is refused: enable it first.",
        params,
        body: replayIn,
        response: { 200: refTo<ReplayShape>("WebhookReplay") },
      },
    },
    async (request) => {
      const { since, until, ...rest } = request.body;
      const input: ReplayInput = {
        ...rest,
        endpoint_id: request.params.id,
        since: new Date(since),
        ...(until === undefined ? {} : { until: new Date(until) }),
      };
      return showReplay(await replayEvents(request.ctx, request.tenant, input), request.tenant);
    },
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
