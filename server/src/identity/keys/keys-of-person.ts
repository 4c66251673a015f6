import { recordAudit } from "#audit/index.ts";
import { type Ctx, findNow, platformErrors, type Tx } from "#platform/index.ts";
import { type ApiKey, showApiKey } from "./show-api-key.ts";
import { type ApiKeyRow, listKeysMadeBy, updateKeyRevoked } from "./sql.ts";

/** Selects the keys that one person created at one merchant, in all of its projects. */
export interface KeyMaker {
  merchant_id: string;
  person_id: string;
}

/** Active keys that a person created or rotated: they know the secrets, even after they left. Newest first. */
export async function listKeysOfPerson(ctx: Ctx, maker: KeyMaker): Promise<ApiKey[]> {
  const [rows, now] = await Promise.all([listKeysMadeBy(ctx.db, maker), findNow(ctx.db)]);
  return rows.map((row) => showApiKey(row, now));
}

/**
 * Revokes some of those keys and returns those that still work. Throws parameter_invalid for a key that isn't one of them, before anything
 * is revoked.
 */
export async function revokeKeysOfPerson(
  tx: Tx,
  ctx: Ctx,
  given: KeyMaker & { ids: readonly string[] },
): Promise<{ ended: ApiKeyRow[]; left: ApiKey[] }> {
  const keys = await listKeysMadeBy(tx, given);
  const now = await findNow(tx);
  const foreign = given.ids.filter((id) => !keys.some((key) => key.id === id));
  if (foreign.length > 0) {
    const param = "revoke_api_keys";
    const details = foreign.map((id) => ({
      param,
      code: "parameter_invalid",
      reason: "not_a_key_of_theirs",
      values: { value: id },
      message: `${id} isn't an active key that this member created.`,
    }));
    throw platformErrors.parameter_invalid({ param, message: details[0]?.message ?? "", details });
  }
  const ended = keys.filter(({ id }) => given.ids.includes(id));
  for (const { project_id, livemode, id } of ended) {
    const tenant = { project_id, livemode };
    await updateKeyRevoked(tx, tenant, { id });
    const detail = { created_by: given.person_id };
    await recordAudit(tx, { ctx, tenant, action: "api_key.revoked", object_type: "api_key", object_id: id, detail });
  }
  return { ended, left: keys.filter((key) => !ended.includes(key)).map((row) => showApiKey(row, now)) };
}
