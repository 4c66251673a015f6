import type { GatewayAction } from "#gateways/index.ts";
import type { FormerColumns, GatewayData, MethodData, PersonalData } from "../method-shapes.ts";
import type { SessionRow } from "../shapes.ts";

const noColumns: FormerColumns = {
  profile_id: null,
  qr_payload: null,
  qr_asset_id: null,
  payee_name: null,
  instructions: {},
  matching_mode: "exact",
  remark_code: null,
};

/** A personal code's data as the previous version reads them. */
export function formerColumns(data: MethodData): FormerColumns {
  if (data.type !== "personal_qr") return noColumns;
  const { type: _type, ...columns } = data;
  return columns;
}

/** The data of a payment to a personal code; null for a gateway's. */
export function personalData(session: SessionRow): PersonalData | null {
  const data = session.method_data as MethodData | null | undefined;
  if (data != null) return data.type === "personal_qr" ? data : null;
  // A result that the previous version stored for a repeated request only has the columns.
  const { profile_id, qr_payload, qr_asset_id, payee_name, instructions, matching_mode, remark_code } = session;
  return { type: "personal_qr", profile_id, qr_payload, qr_asset_id, payee_name, instructions, matching_mode, remark_code };
}

/** The data of a payment through a gateway, and whom it serves; null for a personal code's. */
export function gatewayData(session: SessionRow): GatewayData | null {
  const data = session.method_data as MethodData | null | undefined;
  return data?.type === "gateway" ? data : null;
}

/** Where a gateway's session redirects the buyer; null if they stay. */
export function awayOf(session: SessionRow): Exclude<GatewayAction, { type: "display_qr" }> | null {
  const action = gatewayData(session)?.next_action ?? null;
  return action === null || action.type === "display_qr" ? null : action;
}

/** Whether a session's provider is simulated. */
export function isDemo(session: SessionRow): boolean {
  const data = session.method_data as MethodData | null | undefined;
  return data?.type === "gateway" && data.demo === true;
}

/** The code that a session shows: its text, or an image if there is none; null if it shows no code. */
export function codeOf(session: SessionRow): { qr_payload: string | null; qr_asset_id: string | null } | null {
  const personal = personalData(session);
  if (personal !== null) return personal.qr_payload === null && personal.qr_asset_id === null ? null : personal;
  const action = session.method_data.type === "gateway" ? session.method_data.next_action : null;
  return action?.type === "display_qr" ? { qr_payload: action.qr_payload, qr_asset_id: null } : null;
}
