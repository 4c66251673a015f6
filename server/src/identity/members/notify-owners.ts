import { type Ctx, notice, type Tx } from "#platform/index.ts";
import type { Role } from "../roles.ts";
import type { MemberRow } from "./sql.ts";

export interface LeadChange {
  merchant_id: string;
  /** Members before the change. */
  members: readonly Pick<MemberRow, "person_id" | "role">[];
  /** The person whose role changes. */
  person: { id: string; name: string; email: string };
  /** null: not a member. */
  before: Role | null;
  after: Role | null;
  new_owner_until: Date | null;
}

const leading: readonly (Role | null)[] = ["owner", "admin"];

/**
 * Notifies every owner separately of a person who becomes an owner or admin, or no longer is one. The owners before the change are
 * notified, so that an owner who is removed hears of it too, and so does the one whose account made the change.
 */
export async function notifyOwners(tx: Tx, ctx: Ctx, change: LeadChange): Promise<void> {
  const { person, before, after, merchant_id, new_owner_until } = change;
  if (before === after || !(leading.includes(before) || leading.includes(after))) return;
  const params = { merchant_id, person: person.name, email: person.email, before, after, by: ctx.actor.id, at: ctx.now(), new_owner_until };
  for (const owner of change.members.filter(({ role }) => role === "owner")) {
    await notice(tx, ctx, { kind: "team_changed", recipient: owner.person_id, params });
  }
}
