import { createHash } from "node:crypto";
import type { Ctx, Tx } from "#platform/index.ts";
import { identityErrors } from "../errors.ts";
import { insertAttempt } from "./sql.ts";

/** Longer than an authenticator's code is good for. */
const rememberedMs = 120_000;

/** Notes that a person's code was used. Throws authentication_required when it was before: seen over a shoulder, a code opens nothing. */
export async function takeCode(tx: Tx, ctx: Ctx, given: { person_id: string; code: string }): Promise<void> {
  const now = ctx.now();
  const subject = createHash("sha256").update(`code ${given.person_id} ${given.code.trim()}`).digest("base64url");
  const { used } = await insertAttempt(tx, { subject, now, ends_at: new Date(now.getTime() + rememberedMs), limit: 1 });
  if (used > 1) throw identityErrors.authentication_required({ message: "This code was used before. Wait for the next one." });
}
