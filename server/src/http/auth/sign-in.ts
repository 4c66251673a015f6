import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { readKnownDevice, sendConfirmation } from "#identity/index.ts";
import { AppError, refuseAddressesIn } from "#platform/index.ts";
import type { App } from "#requests/index.ts";
import {
  addressIn,
  type DoneShape,
  refTo,
  type SignInOptionsShape,
  type SignInShape,
  signInIn,
  signUpIn,
  tokenIn,
} from "#schemas/index.ts";
import { callLibrary, countAttempt, countMail } from "./call-library.ts";

const tags = ["Signing in"];
const refused = ["authentication_required", "permission_denied", "origin_not_allowed", "parameter_invalid"];
const open = { scope: "public", errors: refused } as const;
const done = { object: "done" as const };

/** Signing in and out, and confirming an address. */
export const signInRoutes: FastifyPluginAsyncTypebox = async (app) => {
  optionsRoute(app);
  signUpRoute(app);
  signInRoute(app);
  signOutRoute(app);
  sendConfirmationRoute(app);
  confirmAddressRoute(app);
};

function optionsRoute(app: App): void {
  app.get(
    "/options",
    {
      config: { scope: "public", errors: ["origin_not_allowed"] },
      schema: {
        operationId: "getSignInOptions",
        tags,
        summary: "Retrieve sign-in options",
        response: { 200: refTo<SignInOptionsShape>("SignInOptions") },
      },
    },
    async (request) => ({
      object: "sign_in_options" as const,
      sign_up: app.runtime.settings.signUp,
      sends_mail: request.ctx.mail.transport !== "outbox",
    }),
  );
}

function signUpRoute(app: App): void {
  app.post(
    "/sign-up/email",
    {
      config: open,
      schema: {
        operationId: "signUp",
        tags,
        summary: "Create an account",
        description:
          "Only if `SIGNUP` is open. The response is the same whether or not the address already has an account; its owner gets an email with more information.",
        body: signUpIn,
        response: { 200: refTo<DoneShape>("Done") },
      },
    },
    async (request, reply) => {
      await countAttempt(app, request, { purpose: "sign-up", account: request.body.email });
      await countMail(request, { purpose: "sign-up", account: request.body.email });
      const { merchant_name, ...body } = request.body;
      refuseAddressesIn({ name: body.name, merchant_name });
      const chosen = { text: body.password, param: "password", about: [body.email, body.name, merchant_name ?? ""] };
      await callLibrary(
        app,
        { request, reply },
        { path: "/sign-up/email", body, chosen, ...(merchant_name === undefined ? {} : { merchantName: merchant_name }) },
      );
      return done;
    },
  );
}

function signInRoute(app: App): void {
  app.post(
    "/sign-in/email",
    {
      config: open,
      schema: {
        operationId: "signIn",
        tags,
        summary: "Sign in",
        description:
          "With email address and password. Up to 5 attempts per minute for an account from one address, 20 for an account, and 30 from an address. A browser the person has signed in with before has a separate limit of 5 per minute.",
        body: signInIn,
        response: { 200: refTo<SignInShape>("SignIn") },
      },
    },
    async (request, reply) => {
      const { email, password, remember } = request.body;
      const device = readKnownDevice(request.ctx, email, request.headers.cookie);
      await countAttempt(app, request, { purpose: "sign-in", account: email, device });
      const answer = await callLibrary(
        app,
        { request, reply },
        {
          path: "/sign-in/email",
          body: { email, password, rememberMe: remember ?? true },
          audit: (body) => (body["twoFactorRedirect"] === true ? null : "person.signed_in"),
        },
      ).catch((error: unknown) => confirmFirst(request, { error, email }));
      const second = answer["twoFactorRedirect"] === true;
      return { object: "sign_in" as const, signed_in: !second, two_factor_required: second };
    },
  );
}

/** Sends the confirmation again to a person who signed in before it, unless that was requested too often. Throws the refusal. */
async function confirmFirst(request: FastifyRequest, { error, email }: { error: unknown; email: string }): Promise<never> {
  if (error instanceof AppError && error.extras.fields?.["reason"] === "email_not_verified") {
    const isAllowed = await countMail(request, { purpose: "verification", account: email }).then(
      () => true,
      () => false,
    );
    if (isAllowed) await sendConfirmation(request.ctx, email);
  }
  throw error;
}

function signOutRoute(app: App): void {
  app.post(
    "/sign-out",
    {
      config: { scope: "person", confirmed: false },
      schema: { operationId: "signOut", tags, summary: "Sign out", response: { 200: refTo<DoneShape>("Done") } },
    },
    async (request, reply) => {
      await callLibrary(app, { request, reply }, { path: "/sign-out", audit: () => "person.signed_out" });
      return done;
    },
  );
}

function sendConfirmationRoute(app: App): void {
  app.post(
    "/send-verification-email",
    {
      config: open,
      schema: {
        operationId: "sendVerificationEmail",
        tags,
        summary: "Resend the confirmation email",
        description: "The response is the same for every address.",
        body: addressIn,
        response: { 200: refTo<DoneShape>("Done") },
      },
    },
    async (request) => {
      const { email } = request.body;
      await countAttempt(app, request, { purpose: "verification", account: email });
      await countMail(request, { purpose: "verification", account: email });
      await sendConfirmation(request.ctx, email);
      return done;
    },
  );
}

function confirmAddressRoute(app: App): void {
  app.post(
    "/verify-email",
    {
      config: open,
      schema: {
        operationId: "verifyEmail",
        tags,
        summary: "Confirm an email address",
        body: tokenIn,
        response: { 200: refTo<DoneShape>("Done") },
      },
    },
    async (request, reply) => {
      await callLibrary(
        app,
        { request, reply },
        { path: "/verify-email", method: "GET", query: { token: request.body.token }, link: request.body.token },
      );
      return done;
    },
  );
}
