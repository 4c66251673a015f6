import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { type CallbackSecretShape, pathOf, promoteIn, refTo, rollIn, showCallbackSecret } from "#schemas/index.ts";
import { findCallbackSecret, promoteCallbackSecret, rollCallbackSecret } from "#webhooks/index.ts";
import type { App } from "../../house.ts";

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
      config: { scope: "webhooks:write", fresh: true, errors: ["secret_roll_conflict"] },
      schema: {
        operationId: "rollCallbackSecret",
        tags,
        summary: "Roll the callback secret",
        description:
          "Makes the next secret, shown only in this response. It signs `webhook-signature` next to the current one at once. `X-Service-Signature` switches when you promote the secret, or after 24 hours. While a roll is open, another one is refused. Roll it before your first callback to have a secret from the start.",
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
      config: { scope: "webhooks:write", fresh: true, errors: ["secret_roll_conflict"] },
      schema: {
        operationId: "promoteCallbackSecret",
        tags,
        summary: "Promote the next callback secret",
        description:
          "The next secret keys `X-Service-Signature` from now on. The old one still signs `webhook-signature` for 24 hours, unless `expire_old_now` ends it.",
        params,
        body: promoteIn,
        response,
      },
    },
    async (request) => showCallbackSecret(await promoteCallbackSecret(request.ctx, request.tenant, request.body)),
  );
}
