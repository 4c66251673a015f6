import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { App } from "#requests/index.ts";
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
          "Sends a sample event to this endpoint now and returns the attempt with its outcome. The event has `test: true` and `livemode: false` in both environments, and only appears in lists and streams with `include=tests`. Takes as long as the endpoint takes to respond, up to 15 seconds.",
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
          "Creates the next secret, which is only shown in this response. It signs `webhook-signature` alongside the current one right away; `X-Service-Signature` switches when you promote it, or after 24 hours. Only one roll can be open at a time.",
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
          "The next secret signs `X-Service-Signature` from now on. The old one still signs `webhook-signature` for 24 hours, unless you set `expire_old_now`. Refused while the secret of an earlier roll still signs.",
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
        summary: "Resend missed events",
        description:
          "Schedules every event since `since` that this endpoint subscribes to and hasn't received, with the same IDs, at fifty per second. Refused if the endpoint is disabled: enable it first.",
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
        summary: "Resend an attempt's event",
        description:
          "Sends the same event now, with the same ID and bytes. If it succeeds, no more retries follow; if it fails, the retry schedule doesn't change.",
        params: pathOf("projectId", "id", "attemptId"),
        body: strict({}),
        response: { 200: refTo<AttemptShape>("WebhookAttempt") },
      },
    },
    async (request) =>
      showAttempt(
        await retryAttempt(request.ctx, request.tenant, { endpoint_id: request.params.id, attempt_id: request.params.attemptId }),
      ),
  );
}
