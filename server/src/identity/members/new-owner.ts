import { type AppError, type Ctx, platformErrors } from "#platform/index.ts";
import type { Role } from "../roles.ts";
import type { MemberRow } from "./sql.ts";

const waitMs = 24 * 3_600_000;

/** Until when a person who becomes an additional owner must wait; null for a merchant's first owner. */
export function waitOfOwner(now: Date, given: { role: Role; others: readonly Pick<MemberRow, "role">[] }): Date | null {
  return given.role === "owner" && given.others.some(({ role }) => role === "owner") ? new Date(now.getTime() + waitMs) : null;
}

/** The waiting period that a new owner passes on with every role they give: a second account of theirs must not be exempt. */
export function waitOfGiver(now: Date, { given_by, members }: { given_by: string | null; members: readonly MemberRow[] }): Date | null {
  const giver = members.find(({ person_id }) => person_id === given_by);
  return giver !== undefined && isNewOwner(giver, now) ? giver.new_owner_until : null;
}

/** The longer of two waits. */
export function longerWait(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}

/** True while a member still waits, even if their role has changed since: giving up the role doesn't shorten the wait. */
export function isNewOwner(member: { new_owner_until: Date | null }, now: Date): boolean {
  return member.new_owner_until !== null && member.new_owner_until > now;
}

/** The error for a new owner who hasn't waited long enough, and for people they brought in. */
export function newOwnerRefusal({ new_owner_until }: { new_owner_until: Date | null }): AppError {
  const until = new_owner_until?.toISOString() ?? "";
  return platformErrors.permission_denied({
    message: `For 24 hours after you became an owner, or got your role from a new owner, you can't change LIVE codes, LIVE keys, LIVE gateway accounts or owners. Try again after ${until}, or ask another owner.`,
    fields: { reason: "new_owner", new_owner_until: until },
  });
}

/** Throws permission_denied if the acting person is an owner who was added less than a day ago, or was brought in by one. */
export function requireSettledOwner(pinned: Pick<Ctx, "actor" | "now">, members: readonly MemberRow[]): void {
  const acting = members.find(({ person_id }) => person_id === pinned.actor.id);
  if (acting !== undefined && isNewOwner(acting, pinned.now())) throw newOwnerRefusal(acting);
}
