import type { ReservationRow } from "#collection/index.ts";
import type { Credential, GatewayMethod } from "#gateways/index.ts";
import type { Ctx } from "#platform/index.ts";
import type { Personal } from "../method/find-method.ts";
import type { GatewayData, PersonalData } from "../method-shapes.ts";
import type { OrderRow, SessionRow } from "../shapes.ts";
import { formerColumns } from "./method-data.ts";

type Shown = Pick<PersonalData, "profile_id" | "qr_payload" | "qr_asset_id" | "payee_name" | "instructions">;

/** The data of a session without its own code. */
export const nothingShown: Shown = { profile_id: null, qr_payload: null, qr_asset_id: null, payee_name: null, instructions: {} };

interface NewSession {
  order: OrderRow;
  method: Personal;
  status: SessionRow["status"];
  amount_minor: number;
  /** Null for a payment without a receiving code. */
  reservation: ReservationRow | null;
  matching_mode: PersonalData["matching_mode"];
  shown: Shown;
  expires_at: Date;
  reported_at?: Date | null;
}

/** A session of a personal method, at the time of `pinned`. */
export function newSession(pinned: Ctx, given: NewSession): SessionRow {
  const { order, method, status, amount_minor, reservation, expires_at } = given;
  const now = pinned.now();
  const method_data = dataOf(given);
  return {
    project_id: order.project_id,
    livemode: order.livemode,
    id: pinned.id("ps"),
    order_id: order.id,
    gateway: method.gateway,
    method: method.name,
    method_data,
    account: reservation === null ? null : `${reservation.channel}:${reservation.account_ref}`,
    channel: method.channel,
    status,
    amount_minor,
    payable_amount_minor: reservation?.amount_minor ?? amount_minor,
    currency: order.currency,
    ...formerColumns(method_data),
    asking_id: reservation?.id ?? null,
    flags: reservation?.is_fallback === true ? ["ambiguous_amount"] : [],
    expires_at,
    reported_at: given.reported_at ?? null,
    verified_at: null,
    reviewed_by: null,
    failure_code: null,
    created_at: now,
    updated_at: now,
  };
}

/** A session of a gateway's method without data yet. Its id is the payment's reference at the provider. */
export function newGatewaySession(
  pinned: Ctx,
  given: { order: OrderRow; method: GatewayMethod; credential: Credential; amount_minor: number; expires_at: Date },
): SessionRow {
  const { order, method, amount_minor, expires_at } = given;
  const now = pinned.now();
  const method_data: GatewayData = { type: "gateway", next_action: null, ...(given.credential.demo ? { demo: true } : {}) };
  return {
    project_id: order.project_id,
    livemode: order.livemode,
    id: pinned.id("ps"),
    order_id: order.id,
    gateway: method.gateway,
    method: method.name,
    method_data,
    account: given.credential.id,
    channel: null,
    status: "pending",
    amount_minor,
    payable_amount_minor: amount_minor,
    currency: order.currency,
    ...formerColumns(method_data),
    asking_id: null,
    flags: [],
    expires_at,
    reported_at: null,
    verified_at: null,
    reviewed_by: null,
    failure_code: null,
    created_at: now,
    updated_at: now,
  };
}

/** Field by field, because the argument may have more fields than are shown. */
function dataOf({ shown, matching_mode, reservation }: NewSession): PersonalData {
  const { profile_id, qr_payload, qr_asset_id, payee_name, instructions } = shown;
  return {
    type: "personal_qr",
    profile_id,
    qr_payload,
    qr_asset_id,
    payee_name,
    instructions,
    matching_mode,
    remark_code: reservation?.code ?? null,
  };
}
