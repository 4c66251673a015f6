import type { Role } from "../roles.ts";
import type { Language } from "./sql.ts";

/** A signed-in person, as the gate knows them for one request. */
export interface Visitor {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly language: Language;
  readonly is_operator: boolean;
  readonly two_factor_enabled: boolean;
  readonly session_id: string;
  /** What they are at the merchant of this request; null where they belong to none. */
  readonly role: Role | null;
  /** When they last proved who they are. */
  readonly confirmed_at: Date;
  readonly active_project_id: string | null;
  readonly active_livemode: boolean;
}
