import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { addPasskey, askForPasskey, beginPasskey, passkeyIdOf, usePasskey } from "#identity/index.ts";
import { type App, visitorOf } from "#requests/index.ts";
import {
  type PasskeyOptionsShape,
  type PasskeyShape,
  passkeyAnswerIn,
  passkeyIn,
  refTo,
  type SignInShape,
  showPasskey,
} from "#schemas/index.ts";
import { callLibrary, countAttempt } from "./call-library.ts";

const tags = ["Signing in"];
const options = { 200: refTo<PasskeyOptionsShape>("PasskeyOptions") };
const confirmed = { scope: "person", confirmed: true } as const;
const open = { scope: "public", errors: ["authentication_required", "origin_not_allowed"] } as const;

/** Passkeys: created by a signed-in person, and then sufficient to sign in without a second step. */
export const passkeyRoutes: FastifyPluginAsyncTypebox = async (app) => {
  beginRoute(app);
  addRoute(app);
  optionsRoute(app);
  signInRoute(app);
};

function beginRoute(app: App): void {
  app.post(
    "/passkey/register-options",
    {
      config: { ...confirmed, errors: ["limit_reached"] },
      schema: { operationId: "beginPasskey", tags, summary: "Start adding a passkey", response: options },
    },
    async (request) => ({ object: "passkey_options" as const, options: { ...(await beginPasskey(request.ctx, visitorOf(request))) } }),
  );
}

function addRoute(app: App): void {
  app.post(
    "/passkey/register",
    {
      config: { ...confirmed, errors: ["parameter_invalid"] },
      schema: {
        operationId: "addPasskey",
        tags,
        summary: "Add the passkey the browser created",
        body: passkeyIn,
        response: { 201: refTo<PasskeyShape>("Passkey") },
      },
    },
    async (request, reply) => {
      const { name, response } = request.body;
      const row = await addPasskey(request.ctx, {
        person_id: visitorOf(request).id,
        name,
        response: response as never,
        address: request.ip,
      });
      return reply.code(201).send(showPasskey(row));
    },
  );
}

function optionsRoute(app: App): void {
  app.post(
    "/passkey/sign-in-options",
    { config: open, schema: { operationId: "askForPasskey", tags, summary: "Start signing in with a passkey", response: options } },
    async (request) => {
      await countAttempt(app, request, { purpose: "passkey options", account: request.ip });
      return { object: "passkey_options" as const, options: { ...(await askForPasskey(request.ctx)) } };
    },
  );
}

function signInRoute(app: App): void {
  app.post(
    "/passkey/sign-in",
    {
      config: open,
      schema: {
        operationId: "signInWithPasskey",
        tags,
        summary: "Sign in with a passkey",
        description: "A passkey proves possession and identity together, so no second step is required.",
        body: passkeyAnswerIn,
        response: { 200: refTo<SignInShape>("SignIn") },
      },
    },
    async (request, reply) => {
      const { response } = request.body;
      await countAttempt(app, request, { purpose: "passkey", account: passkeyIdOf(response) });
      const { person_id } = await usePasskey(request.ctx, response as never);
      await callLibrary(app, { request, reply }, { path: "/open-session", openFor: person_id, audit: () => "person.signed_in" });
      return { object: "sign_in" as const, signed_in: true, two_factor_required: false };
    },
  );
}
