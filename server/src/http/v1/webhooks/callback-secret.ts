import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { findCallbackSecret, promoteCallbackSecret, rollCallbackSecret } from "#webhooks/index.ts";
import { pathOf, refTo, strict } from "../../schemas/fields.ts";
import { type CallbackSecretShape, showCallbackSecret } from "../../shapes/webhook.ts";

const tags = ["Webhooks"];
const params = pathOf("projectId");
const response = { 200: refTo<CallbackSecretShape>("CallbackSecret") };

/** The secret that signs what messages' `status_callback` addresses get. */
export const callbackSecretRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/projects/:projectId/callback-secret",
    {
      config: { scope: "webhooks:read" },
      schema: {
        operationId: "getCallbackSecret",
        tags,
        summary: "Retrieve the callback secret",
        description: "What signs status callbacks, without the secret itself. Roll it to learn one.",
        params,
        response,
      },
    },
    async (request) => showCallbackSecret(await findCallbackSecret(request.ctx, request.tenant)),
  );
  app.post(
    "/projects/:projectId/callback-secret/roll",
    {
      config: { scope: "webhooks:write", fresh: true },
      schema: {
        operationId: "rollCallbackSecret",
        tags,
        summary: "Roll the callback secret",
        description:
          "Makes the next secret, shown this once. It signs `webhook-signature` beside the current one at once. `X-Service-Signature` changes over when you promote the secret, or after 24 hours. Roll it before your first callback to have a secret from the start.",
        params,
        body: strict({}),
        response,
      },
    },
    async (request) => showCallbackSecret(await rollCallbackSecret(request.ctx, request.tenant)),
  );
  app.post(
    "/projects/:projectId/callback-secret/promote",
    {
      config: { scope: "webhooks:write", fresh: true },
      schema: {
        operationId: "promoteCallbackSecret",
        tags,
        summary: "Promote the next callback secret",
        description: "The next secret keys `X-Service-Signature` from now on. The former one goes on signing `webhook-signature` for 24 hours.",
        params,
        body: strict({}),
        response,
      },
    },
    async (request) => showCallbackSecret(await promoteCallbackSecret(request.ctx, request.tenant)),
  );
};
