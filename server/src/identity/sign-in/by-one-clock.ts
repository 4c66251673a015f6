import { createHmac } from "node:crypto";
import { createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { symmetricDecrypt } from "better-auth/crypto";
import { equalSecret } from "#platform/index.ts";
import { currentUnit } from "./unit.ts";

const stepMs = 30_000;
/** The codes that an authenticator shows now, showed before and will show next. */
const steps = [-1, 0, 1];

type LibraryCall = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/**
 * The library checks authenticators' codes and emailed links by the machine's clock. They are converted first, so that they are effectively
 * checked by the clock that all processes share.
 */
export const byOneClock = {
  id: "by-one-clock",
  hooks: {
    before: [
      {
        matcher: ({ path }: { path?: string }) => path === "/two-factor/verify-totp",
        handler: createAuthMiddleware((call) => moveCode(call)),
      },
      { matcher: ({ path }: { path?: string }) => path === "/verify-email", handler: createAuthMiddleware((call) => moveLink(call)) },
    ],
  },
};

/** Replaces a code that is valid by the shared clock with the one that is valid by the machine's; any other with an empty one. */
async function moveCode(call: LibraryCall) {
  const { ctx, aheadMs } = currentUnit();
  const shared = ctx.now().getTime();
  const [stepHere, stepShared] = [Math.floor((shared - aheadMs) / stepMs), Math.floor(shared / stepMs)];
  const secret = stepHere === stepShared ? null : await secretOf(call);
  if (secret === null) return;
  const code = String(call.body?.code);
  const found = steps.find((step) => equalSecret(code, codeAt(secret, stepShared + step)));
  return { context: { body: { ...call.body, code: found === undefined ? "" : codeAt(secret, stepHere + found) } } };
}

/** The authenticator's secret: of the session's person, or of the person whose password was just checked. */
async function secretOf(call: LibraryCall): Promise<string | null> {
  const { context } = call;
  const session = await getSessionFromCtx(call);
  const cookie = session === null ? await call.getSignedCookie(context.createAuthCookie("two_factor").name, context.secret) : null;
  const person = session?.user.id ?? (cookie ? (await context.internalAdapter.findVerificationValue(cookie))?.value : undefined);
  if (person === undefined) return null;
  const row = await context.adapter.findOne<{ secret: string }>({ model: "twoFactor", where: [{ field: "userId", value: person }] });
  return row === null ? null : symmetricDecrypt({ key: context.secretConfig, data: row.secret });
}

/** RFC 4226, six digits. */
function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  return String((mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

async function moveLink(call: LibraryCall) {
  const token = moveToken(String(call.query?.token), { secret: call.context.secret, byMs: -currentUnit().aheadMs });
  return { context: { query: { ...call.query, token } } };
}

/** Moves the expiry of one of the library's own tokens (a JWT, HS256); anything else is unchanged, for the library to refuse. */
function moveToken(token: string, { secret, byMs }: { secret: string; byMs: number }): string {
  const [head = "", body = "", signature = "", ...more] = token.split(".");
  const sign = (text: string) => createHmac("sha256", secret).update(`${head}.${text}`).digest("base64url");
  if (more.length > 0 || !equalSecret(signature, sign(body))) return token;
  const session = JSON.parse(Buffer.from(body, "base64url").toString()) as { exp: number };
  const moved = Buffer.from(JSON.stringify({ ...session, exp: session.exp + Math.round(byMs / 1000) })).toString("base64url");
  return `${head}.${moved}.${sign(moved)}`;
}
