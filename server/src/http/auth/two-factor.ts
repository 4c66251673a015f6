import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type App, sessionTokenOf, visitorOf } from "#requests/index.ts";
import {
  codeIn,
  type DoneShape,
  passwordIn,
  type RecoveryCodesShape,
  refTo,
  type SignInShape,
  type TwoFactorSetupShape,
} from "#schemas/index.ts";
import { callLibrary, countAttempt } from "./call-library.ts";

const tags = ["Signing in"];
const refused = ["authentication_required", "origin_not_allowed", "parameter_invalid", "parameter_conflict"];
const confirmed = { scope: "person", confirmed: true, errors: ["parameter_invalid", "parameter_conflict"] } as const;
const signedIn = { object: "sign_in" as const, signed_in: true, two_factor_required: false };

/** The second step: authenticator codes, and recovery codes in case the authenticator is lost. */
export const twoFactorRoutes: FastifyPluginAsyncTypebox = async (app) => {
  enableRoute(app);
  verifyRoute(app, "totp");
  verifyRoute(app, "recovery-code");
  disableRoute(app);
  recoveryCodesRoute(app);
};

/** Someone at an open session must not be able to guess passwords here either. */
function countPassword(app: FastifyInstance, request: FastifyRequest): Promise<void> {
  return countAttempt(app, request, { purpose: "password", account: visitorOf(request).email });
}

function enableRoute(app: App): void {
  app.post(
    "/two-factor/enable",
    {
      config: confirmed,
      schema: {
        operationId: "enableTwoFactor",
        tags,
        summary: "Set up two-step sign-in",
        description:
          "Returns what an authenticator needs. Two-step sign-in is on once `/two-factor/verify-totp` has accepted a first code, which ends all of the person's other sessions.",
        body: passwordIn,
        response: { 200: refTo<TwoFactorSetupShape>("TwoFactorSetup") },
      },
    },
    async (request, reply) => {
      await countPassword(app, request);
      const answer = await callLibrary(
        app,
        { request, reply },
        { path: "/two-factor/enable", body: request.body, audit: () => "person.two_factor_begun" },
      );
      return {
        object: "two_factor_setup" as const,
        totp_uri: String(answer["totpURI"]),
        recovery_codes: answer["backupCodes"] as string[],
      };
    },
  );
}

/**
 * The effect of a right code: it completed a sign-in, which has its own session; turned the second step on; or nothing, because it is
 * already on.
 */
function codeActionOf({ token, user }: Record<string, unknown>, sent: string | null): string {
  if (token !== sent) return "person.second_step_passed";
  return (user as { twoFactorEnabled?: boolean }).twoFactorEnabled === true ? "person.code_verified" : "person.two_factor_enabled";
}

/** Both for the second step of a sign-in, which has no session yet, and for the first code of a setup. */
function verifyRoute(app: App, kind: "totp" | "recovery-code"): void {
  const totp = kind === "totp";
  app.post(
    `/two-factor/verify-${kind}`,
    {
      config: { scope: "public", errors: refused },
      schema: {
        operationId: totp ? "verifyTotp" : "verifyRecoveryCode",
        tags,
        summary: totp ? "Verify a code" : "Use a recovery code",
        description: "After 10 wrong codes in a row the account is locked for 15 minutes.",
        body: codeIn,
        response: { 200: refTo<SignInShape>("SignIn") },
      },
    },
    async (request, reply) => {
      const { code, trust_device } = request.body;
      // Only the library knows the account, and counts its wrong codes itself. Here, the sender and the sign-in are counted.
      await countAttempt(app, request, { purpose: "second step", account: request.headers.cookie ?? "" });
      await callLibrary(
        app,
        { request, reply },
        {
          path: totp ? "/two-factor/verify-totp" : "/two-factor/verify-backup-code",
          body: { code, trustDevice: trust_device ?? false },
          ...(totp ? { code } : {}),
          audit: (answer) => (totp ? codeActionOf(answer, sessionTokenOf(app, request)) : "person.recovery_code_used"),
        },
      );
      return signedIn;
    },
  );
}

function disableRoute(app: App): void {
  app.post(
    "/two-factor/disable",
    {
      config: confirmed,
      schema: {
        operationId: "disableTwoFactor",
        tags,
        summary: "Turn off two-step sign-in",
        body: passwordIn,
        response: { 200: refTo<DoneShape>("Done") },
      },
    },
    async (request, reply) => {
      await countPassword(app, request);
      await callLibrary(
        app,
        { request, reply },
        { path: "/two-factor/disable", body: request.body, audit: () => "person.two_factor_disabled" },
      );
      return { object: "done" as const };
    },
  );
}

function recoveryCodesRoute(app: App): void {
  app.post(
    "/two-factor/recovery-codes",
    {
      config: confirmed,
      schema: {
        operationId: "makeRecoveryCodes",
        tags,
        summary: "Create new recovery codes",
        description: "The earlier ones stop working.",
        body: passwordIn,
        response: { 200: refTo<RecoveryCodesShape>("RecoveryCodes") },
      },
    },
    async (request, reply) => {
      await countPassword(app, request);
      const call = { path: "/two-factor/generate-backup-codes", body: request.body, audit: () => "person.recovery_codes_made" };
      const answer = await callLibrary(app, { request, reply }, call);
      return { object: "recovery_codes" as const, recovery_codes: answer["backupCodes"] as string[] };
    },
  );
}
