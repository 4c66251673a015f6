import { type Ctx, firstLanguage } from "#platform/index.ts";
import { hashPassword, type PasswordWork, verifyPassword } from "../password/hash-password.ts";
import { passwordLength } from "../password/refuse-weak-password.ts";
import { recordPersonAction } from "../people/record-person-action.ts";
import { deleteHandedOut } from "../people/sql.ts";
import { cookiePrefixOf, signInSecrets } from "./cookies/cookie.ts";
import { mailLink } from "./mail-link.ts";
import { openAccount } from "./open-account.ts";
import { mailConfirmation } from "./send-confirmation.ts";
import { currentUnit } from "./unit.ts";

export interface LibraryOptions {
  /** Whether people can open an account themselves. */
  signUp: "invite" | "open";
  passwordWork: PasswordWork;
}

export const sessionDays = 7;

/** The library behind `/api/auth`, loaded with the first sign-in: an API server without people doesn't pay for it. */
export async function openLibrary(ctx: Ctx, options: LibraryOptions): Promise<(request: Request) => Promise<Response>> {
  const [{ betterAuth }, { twoFactor }, { createSignInAdapter }, { openSession }, { byOneClock }] = await Promise.all([
    import("better-auth/minimal"),
    import("better-auth/plugins/two-factor"),
    import("./adapter.ts"),
    import("./open-session.ts"),
    import("./by-one-clock.ts"),
  ]);
  const { prefix, isSecure } = cookiePrefixOf(ctx.publicUrl);
  const secrets = signInSecrets(ctx.masterKeys);
  const auth = betterAuth({
    appName: "Tillpost",
    baseURL: ctx.publicUrl,
    basePath: "/api/auth",
    trustedOrigins: [new URL(ctx.publicUrl).origin],
    secrets,
    database: createSignInAdapter(),
    logger: { disabled: true },
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    user: { additionalFields: { language: { type: "string", required: false, defaultValue: firstLanguage } } },
    // Our own code extends sessions; the library would also extend one that isn't to be remembered.
    session: { expiresIn: sessionDays * 86_400, disableSessionRefresh: true, cookieCache: { enabled: false } },
    verification: { storeIdentifier: "hashed" },
    advanced: {
      useSecureCookies: false,
      cookiePrefix: prefix,
      defaultCookieAttributes: { secure: isSecure, path: "/", sameSite: "lax", httpOnly: true },
      ipAddress: { ipAddressHeaders: [addressHeader], disableIpTracking: false },
      database: { generateId: ({ model }) => ctx.id(model === "user" ? "usr" : "ses") },
    },
    emailAndPassword: passwordSettings(options),
    emailVerification: {
      sendOnSignUp: true,
      // Our route sends it, and counts it.
      sendOnSignIn: false,
      autoSignInAfterVerification: false,
      afterEmailVerification: (user) => record(user.id, "person.email_verified"),
      // With our own token, which expires by the shared clock.
      sendVerificationEmail: ({ user }) => mailConfirmation(currentUnit().tx, currentUnit().ctx, user),
    },
    databaseHooks: { user: { create: { after: (user) => openAccount({ id: user.id, name: user.name }) } } },
    plugins: [twoFactor({ issuer: "Tillpost", backupCodeOptions: { amount: 10, length: 10 } }), openSession, byOneClock],
  });
  return (request) => auth.handler(request);
}

/** Carries the client's address, as our own gate found it. */
export const addressHeader = "x-tillpost-address";

function passwordSettings({ signUp, passwordWork }: LibraryOptions) {
  return {
    enabled: true,
    disableSignUp: signUp !== "open",
    // Without it a sign-up would reveal if an address has an account.
    requireEmailVerification: true,
    minPasswordLength: passwordLength.min,
    // The library counts UTF-16 units; our own rule counts whole characters.
    maxPasswordLength: passwordLength.max * 2,
    resetPasswordTokenExpiresIn: 3600,
    revokeSessionsOnPasswordReset: true,
    password: {
      hash: (password: string) => hashPassword(password, passwordWork),
      verify: ({ hash, password }: { hash: string; password: string }) => verifyPassword(password, hash),
    },
    sendResetPassword: ({ user, token }: { user: Person; token: string }) =>
      notify("password_reset", user, { path: `/dashboard/reset-password?token=${token}`, minutes: 60 }),
    onPasswordReset: ({ user }: { user: Person }) => noteReset(user),
    onExistingUserSignUp: ({ user }: { user: Person }) => notify("sign_up_again", user, { path: "/dashboard/sign-in" }),
  };
}

interface Person {
  id: string;
  email: string;
  name: string;
}

async function noteReset(user: Person): Promise<void> {
  const unit = currentUnit();
  unit.resetOf = user;
  await deleteHandedOut(unit.tx, user.id);
  await record(user.id, "person.password_reset");
}

function record(personId: string, action: string): Promise<void> {
  const { tx, ctx } = currentUnit();
  return recordPersonAction(tx, ctx, { person_id: personId, action, notify: true });
}

function notify(kind: string, user: { email: string }, link: { path: string; minutes?: number }): Promise<void> {
  const { tx, ctx } = currentUnit();
  return mailLink(tx, ctx, { kind, user, ...link });
}
