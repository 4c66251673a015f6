import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { acceptInvitation, readInvitation } from "#identity/index.ts";
import { type App, findOptionalVisitor } from "#requests/index.ts";
import { acceptIn, type DoneShape, refTo, tokenIn } from "#schemas/index.ts";
import { countAttempt } from "./call-library.ts";

const tags = ["Signing in"];
const config = { scope: "public", errors: ["origin_not_allowed", "parameter_invalid", "parameter_missing", "parameter_conflict"] } as const;

/** Routes for the recipient of an invitation. */
export const invitationRoutes: FastifyPluginAsyncTypebox = async (app) => {
  readRoute(app);
  acceptRoute(app);
};

function readRoute(app: App): void {
  app.post(
    "/invitation",
    {
      config,
      schema: {
        operationId: "readInvitation",
        tags,
        summary: "Retrieve an invitation",
        body: tokenIn,
        response: { 200: refTo<{ object: "open_invitation" } & Awaited<ReturnType<typeof readInvitation>>>("OpenInvitation") },
      },
    },
    async (request) => {
      await countAttempt(app, request, { purpose: "invitation", account: request.body.token });
      return { object: "open_invitation" as const, ...(await readInvitation(request.ctx, request.body.token)) };
    },
  );
}

function acceptRoute(app: App): void {
  app.post(
    "/accept-invitation",
    {
      config,
      schema: {
        operationId: "acceptInvitation",
        tags,
        summary: "Accept an invitation",
        description:
          "Accept it while signed in, or with a name and a password for a new account, which also works while signed in as someone else. Sign in afterwards.",
        body: acceptIn,
        response: { 200: refTo<DoneShape>("Done") },
      },
    },
    async (request) => {
      await countAttempt(app, request, { purpose: "invitation", account: request.body.token });
      const visitor = await findOptionalVisitor(app, request);
      const person = visitor === null ? null : { id: visitor.id, email: visitor.email };
      await acceptInvitation(request.ctx, { ...request.body, person, passwordWork: app.runtime.settings.passwordWork });
      return { object: "done" as const };
    },
  );
}
