import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { App } from "#requests/index.ts";
import { type CallbackSecretShape, pathOf, promoteIn, refTo, rollIn, showCallbackSecret } from "#schemas/index.ts";
import { findCallbackSecret, promoteCallbackSecret, rollCallbackSecret } from "#webhooks/index.ts";

const tags = ["Webhooks"];
const params = pathOf("projectId");
const response = { 200: refTo<CallbackSecretShape>("CallbackSecret") };

/** The secret that signs requests to messages' `status_callback` addresses. */
export const callbackSecretRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/projects/:projectId/callback-secret",
    {
      config: { scope: "webhooks:read" },
      schema: {
        operationId: "getCallbackSecret",
        tags,
        summary: "Retrieve the callback secret",
        description: "Describes the secret that signs status callbacks, without the secret itself. Roll it to get a new one.",
        params,
        response,
      },
    },
    async (request) => showCallbackSecret(await findCallbackSecret(request.ctx, request.tenant)),
  );
  app.post(
    "/projects/:projectId/callback-secret/roll",
    {
      config: { scope: "webhooks:write", confirmed: true, errors: ["secret_roll_conflict"] },
      schema: {
        operationId: "rollCallbackSecret",
        tags,
        summary: "Roll the callback secret",
        description:
          "Creates the next secret, which is only shown in this response. It signs `webhook-signature` alongside the current one right away; `X-Service-Signature` switches when you promote it, or after 24 hours. Only one roll can be open at a time. Roll it before your first callback to have a secret from the start.",
        params,
        body: rollIn,
        response,
      },
    },
    async (request) => showCallbackSecret(await rollCallbackSecret(request.ctx, request.tenant, request.body)),
  );
  promoteRoute(app);
};

function promoteRoute(app: App): void {
  app.post(
    "/projects/:projectId/callback-secret/promote",
    {
      config: { scope: "webhooks:write", confirmed: true, errors: ["secret_roll_conflict"] },
      schema: {
        operationId: "promoteCallbackSecret",
        tags,
        summary: "Promote the next callback secret",
        description:
          "The next secret signs `X-Service-Signature` from now on. The old one still signs `webhook-signature` for 24 hours, unless you set `expire_old_now`. Refused while the secret of an earlier roll still signs.",
        params,
        body: promoteIn,
        response,
      },
    },
    async (request) => showCallbackSecret(await promoteCallbackSecret(request.ctx, request.tenant, request.body)),
  );
}
