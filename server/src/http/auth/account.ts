import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { type App, visitorOf } from "#requests/index.ts";
import { addressIn, changePasswordIn, type DoneShape, refTo, resetIn } from "#schemas/index.ts";
import { callLibrary, countAttempt, countMail } from "./call-library.ts";

const tags = ["Signing in"];
const done = { object: "done" as const };

/** Passwords: forgotten and changed. */
export const accountRoutes: FastifyPluginAsyncTypebox = async (app) => {
  requestResetRoute(app);
  resetRoute(app);
  changePasswordRoute(app);
};

function requestResetRoute(app: App): void {
  app.post(
    "/request-password-reset",
    {
      config: { scope: "public", errors: ["origin_not_allowed"] },
      schema: {
        operationId: "requestPasswordReset",
        tags,
        summary: "Request a password reset",
        description: "Sends an email if the address has an account. The response is the same if it doesn't.",
        body: addressIn,
        response: { 200: refTo<DoneShape>("Done") },
      },
    },
    async (request, reply) => {
      await countAttempt(app, request, { purpose: "reset", account: request.body.email });
      await countMail(request, { purpose: "reset", account: request.body.email });
      await callLibrary(app, { request, reply }, { path: "/request-password-reset", body: request.body });
      return done;
    },
  );
}

function resetRoute(app: App): void {
  app.post(
    "/reset-password",
    {
      config: { scope: "public", errors: ["origin_not_allowed", "parameter_invalid"] },
      schema: {
        operationId: "resetPassword",
        tags,
        summary: "Set a new password",
        description: "Send the token from the email, which works once, within an hour. All of the person's sessions end.",
        body: resetIn,
        response: { 200: refTo<DoneShape>("Done") },
      },
    },
    async (request, reply) => {
      const { token, new_password } = request.body;
      const chosen = { text: new_password, param: "new_password", about: [] };
      await callLibrary(app, { request, reply }, { path: "/reset-password", body: { token, newPassword: new_password }, chosen });
      return done;
    },
  );
}

function changePasswordRoute(app: App): void {
  app.post(
    "/change-password",
    {
      config: { scope: "person", confirmed: false, errors: ["parameter_invalid"] },
      schema: {
        operationId: "changePassword",
        tags,
        summary: "Change the password",
        description: "Ends all of the person's other sessions; this one continues with a new cookie.",
        body: changePasswordIn,
        response: { 200: refTo<DoneShape>("Done") },
      },
    },
    async (request, reply) => {
      const { current_password, new_password } = request.body;
      const { email, name } = visitorOf(request);
      await countAttempt(app, request, { purpose: "password", account: email });
      await callLibrary(
        app,
        { request, reply },
        {
          path: "/change-password",
          body: { currentPassword: current_password, newPassword: new_password, revokeOtherSessions: true },
          passwordParam: "current_password",
          chosen: { text: new_password, param: "new_password", about: [email, name] },
          audit: () => "person.password_changed",
        },
      );
      return done;
    },
  );
}
