import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import type { App } from "#requests/index.ts";
import { givenCodeIn, givenCodeOfIn, pathOf, refTo, resendIn, showVerification, strict, type VerificationShape } from "#schemas/index.ts";
import {
  cancelVerification,
  checkCode,
  checkNewestCode,
  findPendingVerification,
  findVerification,
  resendCode,
  type VerificationRow,
} from "#verifications/index.ts";
import { requireChannels, writes } from "./channel-scopes.ts";
import { channelFaults } from "./verifications.ts";

const tags = ["Verifications"];
const params = pathOf("id");
const verification = { 200: refTo<VerificationShape>("Verification") };
const checking = "A wrong code also returns 200: `status` shows whether it was right, and `attempts_left` how many checks are left.";

/** Actions on a verification. */
export const verificationActionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  checkOne(app);
  checkNewest(app);
  resend(app);
  cancel(app);
};

/** A verification whose channels the request can send through. */
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
      schema: {
        operationId: "checkVerification",
        tags,
        summary: "Check a code",
        description: checking,
        params,
        body: givenCodeIn,
        response: verification,
      },
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
        description: `Checks the latest pending verification of a number or address, if you didn't keep the ID. ${checking}`,
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
        summary: "Resend the code",
        description:
          "Sends the same code again, by the channel used last or another of the verification's channels. Doesn't extend its expiry.",
        params,
        body: resendIn,
        response: verification,
      },
    },
    async (request) => {
      const { id } = await ownOf(request, findVerification(request.ctx, request.tenant, request.params.id));
      const channel = request.body.channel ?? null;
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
        description: "Its code is no longer accepted, and messages that haven't been sent yet are canceled.",
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
