import { createHash, randomBytes } from "node:crypto";
import type { Ctx, Tx } from "#platform/index.ts";
import { deleteChallenge, insertChallenge } from "./sql.ts";

const minutes = 5;

/** Where passkeys are registered: the public host, and the only origin of its pages. */
export function relyingPartyOf(ctx: Pick<Ctx, "publicUrl">): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(ctx.publicUrl);
  return { rpID: hostname, origin };
}

/** Creates a challenge for one purpose, valid for five minutes. `bearer` is who can answer it: a person's id, or no one in particular. */
export async function makeChallenge(ctx: Ctx, purpose: "add" | "sign in", bearer: string): Promise<string> {
  const challenge = randomBytes(32).toString("base64url");
  await ctx.transactUnclaimed((tx) =>
    insertChallenge(tx, { id: ctx.id("ses"), identifier: nameOf(purpose, challenge), value: bearer, minutes }),
  );
  return challenge;
}

/** Consumes a challenge; false if it was used before, has expired, or was someone else's. */
export function takeChallenge(tx: Tx, given: { purpose: "add" | "sign in"; bearer: string; challenge: string }): Promise<boolean> {
  return deleteChallenge(tx, { identifier: nameOf(given.purpose, given.challenge), value: given.bearer });
}

function nameOf(purpose: string, challenge: string): string {
  return createHash("sha256").update(`passkey ${purpose} ${challenge}`).digest("base64url");
}
