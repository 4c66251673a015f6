import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { givenCodeIn, givenCodeOfIn, pathOf, refTo, resendIn, showVerification, strict, type VerificationShape } from "#schemas/index.ts";
import {
  type CodeChannel,
  cancelVerification,
  checkCode,
  checkNewestCode,
  findPendingVerification,
  findVerification,
  resendCode,
  type VerificationRow,
} from "#verifications/index.ts";
import type { App } from "../../house.ts";
import { requireChannels, writes } from "./channel-scopes.ts";
import { channelFaults } from "./verifications.ts";

const tags = ["Verifications"];
const params = pathOf("id");
const verification = { 200: refTo<VerificationShape>("Verification") };
const checking = "A wrong code answers 200 too: `status` tells whether it was the right one, `attempts_left` how many may follow.";

/** What can be done to a verification that has begun. */
export const verificationActRoutes: FastifyPluginAsyncTypebox = async (app) => {
  checkOne(app);
  checkNewest(app);
  resend(app);
  cancel(app);
};

/** A verification whose channels the request may send through. */
async function ownOf(request: FastifyRequest, find: Promise<VerificationRow>): Promise<VerificationRow> {
  const found = await find;
  requireChannels(request, found.channels, "write");
  return found;
}

function checkOne(app: App): void {
  app.post(
    "/verifications/:id/check",
    {
      config: { ...writes, errors: ["resource_missing", "verification_state_conflict"] },
      schema: { operationId: "checkVerification", tags, summary: "Check a code", description: checking, params, body: givenCodeIn, response: verification },
    },
    async (request) => {
      const { id } = await ownOf(request, findVerification(request.ctx, request.tenant, request.params.id));
      return showVerification(await checkCode(request.ctx, request.tenant, { id, code: request.body.code }));
    },
  );
}

function checkNewest(app: App): void {
  app.post(
    "/verifications/check",
    {
      config: { ...writes, errors: ["resource_missing"] },
      schema: {
        operationId: "checkNewestVerification",
        tags,
        summary: "Check a recipient's code",
        description: `For the newest pending verification of a number or an address, where you kept no id. ${checking}`,
        body: givenCodeOfIn,
        response: verification,
      },
    },
    async (request) => {
      const { to, code } = request.body;
      const { id } = await ownOf(request, findPendingVerification(request.ctx, request.tenant, to));
      return showVerification(await checkNewestCode(request.ctx, request.tenant, { id, code }));
    },
  );
}

function resend(app: App): void {
  app.post(
    "/verifications/:id/resend",
    {
      config: { ...writes, movesMoney: true, errors: ["resource_missing", "verification_state_conflict", ...channelFaults] },
      schema: {
        operationId: "resendVerification",
        tags,
        summary: "Send the code again",
        description: "The same code, by the channel of the last time or another one of the verification's. It expires when it would have.",
        params,
        body: resendIn,
        response: verification,
      },
    },
    async (request) => {
      const { id } = await ownOf(request, findVerification(request.ctx, request.tenant, request.params.id));
      const channel = (request.body as { channel?: CodeChannel | null }).channel ?? null;
      return showVerification(await resendCode(request.ctx, request.tenant, { id, channel }));
    },
  );
}

function cancel(app: App): void {
  app.post(
    "/verifications/:id/cancel",
    {
      config: { ...writes, errors: ["resource_missing", "verification_state_conflict"] },
      schema: {
        operationId: "cancelVerification",
        tags,
        summary: "Cancel a verification",
        description: "No code counts for it any more, and messages that have not left are withdrawn.",
        params,
        body: strict({}),
        response: verification,
      },
    },
    async (request) => {
      const { id } = await ownOf(request, findVerification(request.ctx, request.tenant, request.params.id));
      return showVerification(await cancelVerification(request.ctx, request.tenant, { id }));
    },
  );
}
