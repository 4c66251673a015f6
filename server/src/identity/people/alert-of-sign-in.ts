import { type Ctx, notice, type Tx } from "#platform/index.ts";
import { countOtherSessions } from "./sql.ts";

const entrances = new Set(["person.signed_in", "person.second_step_passed", "person.recovery_code_used"]);

/** Tells a person who is signed in elsewhere that a browser which none of their sessions knows has come in as well. */
export async function alertOfSignIn(
  tx: Tx,
  ctx: Ctx,
  given: { person_id: string; action: string; userAgent: string | undefined; address: string },
): Promise<void> {
  if (!entrances.has(given.action)) return;
  const { others, alike } = await countOtherSessions(tx, given.person_id, ctx.now());
  if (others === 0 || alike > 0) return;
  const params = { at: ctx.now(), device: given.userAgent?.slice(0, 200) ?? null, address: given.address };
  await notice(tx, ctx, { kind: "sign_in_alert", recipient: given.person_id, params });
}
