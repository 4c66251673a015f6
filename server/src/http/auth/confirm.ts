import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { checkPassword, confirmSession, limitAttempts, type Proof, passkeyIdOf, usePasskey } from "#identity/index.ts";
import { AppError, platformErrors } from "#platform/index.ts";
import { limitedAddress, visitorOf } from "#requests/index.ts";
import { type ConfirmationIn, type ConfirmationShape, confirmationIn, refTo } from "#schemas/index.ts";
import { callLibrary, countAttempt } from "./call-library.ts";

const confirmedMs = 10 * 60_000;
/** A code has six digits: someone with a stolen session must not be able to try them all. */
const codeLimit = { perPair: 10, perAccount: 10, perAddress: 30, windowMs: 15 * 60_000 };

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** A signed-in person confirms their identity again, with any of their methods. */
export const confirmRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    "/confirm",
    {
      config: { scope: "person", confirmed: false, errors: ["parameter_invalid", "parameter_missing", "parameter_conflict"] },
      schema: {
        operationId: "confirmSession",
        tags: ["Signing in"],
        summary: "Confirm your identity",
        description:
          "Send one of the password, a code from the authenticator, or a passkey's response to `/api/auth/passkey/sign-in-options`. For the next ten minutes, you can change keys, secrets, codes and two-step sign-in.",
        body: confirmationIn,
        response: { 200: refTo<ConfirmationShape>("Confirmation") },
      },
    },
    async (request, reply) => {
      const { id, session_id } = visitorOf(request);
      const by = proofIn(request.body);
      await checks[by](app, { request, reply }, request.body);
      const confirmed_at = await confirmSession(request.ctx, { person_id: id, session_id, by });
      return { object: "confirmation" as const, confirmed_at, fresh_until: new Date(new Date(confirmed_at).getTime() + confirmedMs) };
    },
  );
};

function proofIn(given: ConfirmationIn): Proof {
  const [first, second] = (["password", "code", "passkey"] as const).filter((name) => given[name] !== undefined);
  if (first === undefined)
    throw platformErrors.parameter_missing({ param: "password", reason: "required", message: "Send password, code or passkey." });
  if (second !== undefined)
    throw platformErrors.parameter_conflict({ param: second, reason: "only_one", message: "Send only one of password, code and passkey." });
  return first;
}

const checks: Record<Proof, (app: FastifyInstance, exchange: Exchange, given: ConfirmationIn) => Promise<void>> = {
  async password(app, { request }, { password = "" }) {
    const { id, email } = visitorOf(request);
    await countAttempt(app, request, { purpose: "password", account: email });
    await checkPassword(request.ctx, { person_id: id, password });
  },

  async code(app, exchange, { code = "" }) {
    const { request } = exchange;
    const { email, two_factor_enabled } = visitorOf(request);
    if (!two_factor_enabled)
      throw platformErrors.parameter_invalid({
        param: "code",
        reason: "two_step_off",
        message: "Two-step sign-in isn't turned on for this account.",
      });
    const { windowMs, ...limits } = codeLimit;
    await limitAttempts(request.ctx, limits, { purpose: "confirm by code", account: email, address: limitedAddress(request.ip), windowMs });
    await callLibrary(app, exchange, { path: "/two-factor/verify-totp", body: { code }, code }).catch((error: unknown) =>
      refuse(error, "code"),
    );
  },

  async passkey(app, { request }, { passkey = {} }) {
    const use = async () => {
      await countAttempt(app, request, { purpose: "passkey", account: passkeyIdOf(passkey) });
      return await usePasskey(request.ctx, passkey as never);
    };
    const { person_id } = await use().catch((error: unknown) => refuse(error, "passkey"));
    if (person_id !== visitorOf(request).id)
      throw platformErrors.parameter_invalid({
        param: "passkey",
        reason: "passkey_of_other",
        message: "This is another person's passkey.",
      });
  },
};

/** The session is valid, so a wrong proof is an invalid input, not a 401. */
function refuse(error: unknown, param: string): never {
  if (error instanceof AppError && error.status === 401)
    throw platformErrors.parameter_invalid({
      param,
      reason: param === "code" ? "code_wrong" : "passkey_unverified",
      message: error.message,
    });
  throw error;
}
