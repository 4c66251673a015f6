import type { Language } from "#platform/index.ts";
import type { Role } from "../roles.ts";

/** A signed-in person, as the gate knows them for one request. */
export interface Visitor {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly language: Language;
  readonly is_operator: boolean;
  readonly two_factor_enabled: boolean;
  /** This session is worth more than a password: two-step sign-in is on, or it was opened with a passkey. */
  readonly has_second_step: boolean;
  /** The merchant of this request asks its team for a second step. */
  readonly merchant_asks_second_step: boolean;
  /** Until when an operator may act without one; null: not asked for. */
  readonly second_step_due_at: Date | null;
  readonly session_id: string;
  /** What they are at the merchant of this request; null where they belong to none. */
  readonly role: Role | null;
  /** Until when an owner who was added to that merchant later may not change what redirects its money; null: no such time. */
  readonly new_owner_until: Date | null;
  /** When they last proved who they are. */
  readonly confirmed_at: Date;
  /** The database's time when this session was let in: what is fresh, and what waits are over, counts from it. */
  readonly seen_at: Date;
  readonly active_project_id: string | null;
  readonly active_livemode: boolean;
}
