import { createHmac } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { atNow, type Ctx, type Tx } from "#platform/index.ts";
import { findPersonByEmail } from "../people/sql.ts";
import { signInSecrets } from "./cookies/cookie.ts";
import { mailLink } from "./mail-link.ts";

/** How long an emailed link can confirm an address. */
const linkMinutes = 1440;
/** Responses take at least this long, so that their times don't show whether the address has an account. */
const leastMs = 500;

/**
 * Sends the email that confirms an address again, if an account waits for it. Our own code instead of the sign-in library's, which would
 * hold a transaction and one of its few places while it waits.
 */
export async function sendConfirmation(ctx: Ctx, email: string): Promise<void> {
  await Promise.all([
    pause(leastMs),
    ctx.transactUnclaimed(async (tx) => {
      const person = await findPersonByEmail(tx, email.trim());
      if (person === null || person.email_verified) return;
      await mailConfirmation(tx, await atNow(ctx, tx), person);
    }),
  ]);
}

/** Writes the email with the link that confirms a person's address. */
export function mailConfirmation(tx: Tx, ctx: Ctx, person: { email: string }): Promise<void> {
  const path = `/dashboard/verify-email?token=${tokenOf(ctx, person.email)}`;
  return mailLink(tx, ctx, { kind: "email_verification", user: person, path, minutes: linkMinutes });
}

/** A token as the sign-in library accepts it for an address (a JWT, HS256), but with an expiry by the shared clock. */
function tokenOf(ctx: Ctx, email: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const iat = Math.floor(ctx.now().getTime() / 1000);
  const text = `${part({ alg: "HS256" })}.${part({ email: email.toLowerCase(), iat, exp: iat + linkMinutes * 60 })}`;
  const secret = signInSecrets(ctx.masterKeys)[0]?.value ?? "";
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}
