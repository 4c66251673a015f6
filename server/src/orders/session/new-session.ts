import type { AskingRow } from "#collection/index.ts";
import type { Ctx } from "#platform/index.ts";
import type { OrderRow, SessionRow } from "../shapes.ts";
import type { Personal } from "./find-method.ts";

type Shown = Pick<SessionRow, "profile_id" | "qr_payload" | "qr_asset_id" | "payee_name" | "instructions">;

/** What a session shows that has no code of its own. */
export const nothingShown: Shown = { profile_id: null, qr_payload: null, qr_asset_id: null, payee_name: null, instructions: {} };

interface NewSession {
  order: OrderRow;
  method: Personal;
  status: SessionRow["status"];
  amount_minor: number;
  /** Null for a payment without a receiving code. */
  asking: AskingRow | null;
  matching_mode: SessionRow["matching_mode"];
  shown: Shown;
  expires_at: Date;
  reported_at?: Date | null;
}

/** A session of a personal method, at the time of `timed`. */
export function newSession(timed: Ctx, given: NewSession): SessionRow {
  const { order, method, status, amount_minor, asking, matching_mode, shown, expires_at } = given;
  const now = timed.now();
  return {
    project_id: order.project_id,
    livemode: order.livemode,
    id: timed.id("ps"),
    order_id: order.id,
    gateway: method.gateway,
    channel: method.channel,
    status,
    amount_minor,
    payable_amount_minor: asking?.amount_minor ?? amount_minor,
    currency: order.currency,
    ...shown,
    matching_mode,
    remark_code: asking?.code ?? null,
    asking_id: asking?.id ?? null,
    flags: asking?.is_fallback === true ? ["ambiguous_amount"] : [],
    expires_at,
    reported_at: given.reported_at ?? null,
    verified_at: null,
    reviewed_by: null,
    failure_code: null,
    created_at: now,
    updated_at: now,
  };
}
