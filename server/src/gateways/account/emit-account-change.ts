import { recordAudit } from "#audit/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import type { Credential } from "../rows/sql.ts";

/** The audit log records who changed where money goes, without secrets. */
export async function emitAccountChange(
  tx: Tx,
  ctx: Ctx,
  given: { action: string; credential: Credential; detail: Record<string, unknown> },
): Promise<void> {
  const { project_id, livemode, id, gateway, label } = given.credential;
  await recordAudit(tx, {
    ctx,
    tenant: { project_id, livemode },
    action: given.action,
    object_type: "gateway_credential",
    object_id: id,
    detail: { gateway, label, ...given.detail },
  });
}
