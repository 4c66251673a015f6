import { drawQrPng, drawQrSvg, findAsset, type QrDrawing, readAsset } from "#assets/index.ts";
import { codeOf, findByToken } from "#orders/index.ts";
import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import { isActionOver, payState } from "./pay-state.ts";

export interface Picture {
  content_type: string;
  bytes: Buffer | string;
}

interface Wanted {
  token: string;
  format: "svg" | "png";
  /** Waits until this many bytes of a project's stored picture may be read. */
  room(load: { project_id: string; bytes: number }): Promise<void>;
}

/**
 * The code of the open payment, redrawn; in TEST with a band across it. If the profile only has a picture of its code, returns that
 * picture. Throws resource_missing if no code may be shown now.
 */
export async function drawCode(ctx: Ctx, input: Wanted): Promise<Picture> {
  const linked = await findByToken(ctx, input.token);
  const { session, order } = linked;
  const code = session === null || payState(linked) !== "pay" || isActionOver(linked) ? null : codeOf(session);
  if (code === null) throw platformErrors.resource_missing();
  if (code.qr_payload === null) return photographedCode(ctx, order, { id: code.qr_asset_id, room: input.room });
  const drawing: QrDrawing = { test: !order.livemode };
  if (input.format === "svg") return { content_type: "image/svg+xml", bytes: drawQrSvg(code.qr_payload, drawing) };
  return { content_type: "image/png", bytes: drawQrPng(code.qr_payload, drawing) };
}

async function photographedCode(ctx: Ctx, tenant: Tenant, { id, room }: { id: string | null; room: Wanted["room"] }): Promise<Picture> {
  const asset = id === null ? null : await findAsset(ctx.db, { project_id: tenant.project_id, livemode: tenant.livemode }, id);
  if (asset !== null) await room({ project_id: asset.project_id, bytes: asset.size_bytes });
  const bytes = asset === null ? null : await readAsset(ctx, asset);
  if (asset === null || bytes === null) throw platformErrors.resource_missing();
  return { content_type: asset.content_type, bytes };
}
