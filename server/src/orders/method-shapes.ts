import type { GatewayAction } from "#gateways/index.ts";

/** The data of a payment to a personal code. A later change of the profile doesn't affect a buyer who is already paying. */
export interface PersonalData {
  type: "personal_qr";
  profile_id: string | null;
  qr_payload: string | null;
  qr_asset_id: string | null;
  payee_name: string | null;
  instructions: Record<string, string>;
  matching_mode: "exact" | "remark" | "unique_amount";
  remark_code: string | null;
}

/** The data of a payment through a gateway. */
export interface GatewayData {
  type: "gateway";
  next_action: GatewayAction | null;
  /** Until when `next_action` works, if that is before the session's end. Payments of earlier versions have none. */
  action_expires_at?: string | null;
  /** For a demo account: its provider is simulated. */
  demo?: true;
  /** How the buyer pays, as the account names it; null if it fits every buyer. Payments of earlier versions have none. */
  way?: string | null;
  /** The device that it was last opened for; null if unknown, or if starting it again may lead to a better way. */
  device?: string | null;
  /** Whether a buyer inside a wallet's app would pay in another way in their phone's own browser. */
  in_browser?: boolean;
}

export type MethodData = PersonalData | GatewayData;

/** A personal code's data in separate columns, which the previous version reads. Written, but only read if the data are missing. */
export type FormerColumns = Omit<PersonalData, "type">;
