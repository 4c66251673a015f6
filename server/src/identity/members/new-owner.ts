import { type AppError, type Ctx, platformErrors } from "#platform/index.ts";
import type { Role } from "../roles.ts";
import type { MemberRow } from "./sql.ts";

const waitMs = 24 * 3_600_000;

/** Until when somebody who becomes an owner beside others must wait; a merchant's first owner need not. */
export function waitOfOwner(now: Date, given: { role: Role; beside: readonly Pick<MemberRow, "role">[] }): Date | null {
  return given.role === "owner" && given.beside.some(({ role }) => role === "owner") ? new Date(now.getTime() + waitMs) : null;
}

/** Whether a member still waits, whatever their role has become since: giving the role up again shortens nothing. */
export function isNewOwner(member: { new_owner_until: Date | null }, now: Date): boolean {
  return member.new_owner_until !== null && member.new_owner_until > now;
}

/** What a new owner is told who comes too early. */
export function newOwnerRefusal({ new_owner_until }: { new_owner_until: Date | null }): AppError {
  const until = new_owner_until?.toISOString() ?? "";
  return platformErrors.permission_denied({
    message: `For 24 hours after becoming an owner, you cannot change LIVE codes, LIVE keys or owners. Try again after ${until}, or ask another owner.`,
    fields: { reason: "new_owner", new_owner_until: until },
  });
}

/** Throws permission_denied when the acting person is an owner who was added less than a day ago. */
export function requireSettledOwner(ctx: Pick<Ctx, "actor" | "now">, members: readonly MemberRow[]): void {
  const acting = members.find(({ person_id }) => person_id === ctx.actor.id);
  if (acting !== undefined && isNewOwner(acting, ctx.now())) throw newOwnerRefusal(acting);
}
