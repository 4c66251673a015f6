import { type AppError, type Ctx, isLoopbackUrl, platformErrors } from "#platform/index.ts";
import { updateSecondStepDue } from "../people/sql.ts";
import type { Visitor } from "../people/visitor.ts";

const graceMs = 7 * 86_400_000;

interface Operator {
  person_id: string;
  is_operator: boolean;
  two_factor_enabled: boolean;
  by_passkey: boolean | null;
  second_step_due_at: Date | null;
  now: Date;
}

/** True if a session has more proof than a password. */
export function hasSecondStep({ two_factor_enabled, by_passkey }: Pick<Operator, "two_factor_enabled" | "by_passkey">): boolean {
  return two_factor_enabled || by_passkey === true;
}

/**
 * Until when an operator may work without a second step, counted from their first visit to a server that is reachable from elsewhere; null:
 * not required.
 */
export async function graceOf(ctx: Pick<Ctx, "db" | "publicUrl">, row: Operator): Promise<Date | null> {
  if (!row.is_operator || hasSecondStep(row) || isLoopbackUrl(ctx.publicUrl)) return null;
  if (row.second_step_due_at !== null) return row.second_step_due_at;
  const due = new Date(row.now.getTime() + graceMs);
  await updateSecondStepDue(ctx.db, row.person_id, due);
  return due;
}

/** Why a visitor must first set up a second step; null if they needn't. `scope` is what the route requires. */
export function secondStepRefusal(visitor: Visitor, scope: string): AppError | null {
  if (visitor.has_second_step) return null;
  if (scope === "operator" && visitor.second_step_due_at !== null && visitor.second_step_due_at <= visitor.seen_at)
    return refusal("operators of this installation");
  if (!["operator", "person", "any_key"].includes(scope) && visitor.merchant_asks_second_step) return refusal("all members of this team");
  return null;
}

const refusal = (whom: string) =>
  platformErrors.permission_denied({
    message: `Two-step sign-in is required for ${whom}. Set it up under Your account, or sign in with a passkey.`,
    fields: { reason: "second_step_required" },
  });
