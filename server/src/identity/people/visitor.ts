import type { Language } from "#platform/index.ts";
import type { Role } from "../roles.ts";

/** A signed-in person, as the gate sees them for one request. */
export interface Visitor {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly language: Language;
  readonly is_operator: boolean;
  readonly two_factor_enabled: boolean;
  /** True if this session has more proof than a password: two-step sign-in is on, or it was opened with a passkey. */
  readonly has_second_step: boolean;
  /** The merchant of this request requires a second step of its team. */
  readonly merchant_asks_second_step: boolean;
  /** Until when an operator may work without one; null: not required. */
  readonly second_step_due_at: Date | null;
  readonly session_id: string;
  /** Their role at the merchant of this request; null if they don't belong to one. */
  readonly role: Role | null;
  /** Until when an owner who was added to that merchant later can't change what redirects its money; null: no limit. */
  readonly new_owner_until: Date | null;
  /** When they last confirmed their identity. */
  readonly confirmed_at: Date;
  /** The database's time when this session was admitted; what counts as recent, and which waits are over, is measured from it. */
  readonly seen_at: Date;
  readonly active_project_id: string | null;
  readonly active_livemode: boolean;
}
