import type { Ctx } from "#platform/index.ts";
import { listReached } from "../people/sql.ts";
import type { Principal } from "./authenticate-key.ts";
import { listKeysInForce } from "./sql.ts";

/**
 * Of callers that were admitted earlier and are still connected, those who lost access: the session has ended or its role at the project
 * has changed, or the key was revoked or has expired. One query for all of them.
 */
export async function listInvalid<T extends Principal>(ctx: Pick<Ctx, "db">, callers: readonly T[]): Promise<T[]> {
  const pairs = callers.flatMap(({ visitor, project_id }) => (visitor === null ? [] : [{ session_id: visitor.session_id, project_id }]));
  const ids = callers.flatMap(({ visitor, key_id }) => (visitor === null ? [key_id] : []));
  const reached = pairs.length === 0 ? [] : await listReached(ctx.db, pairs);
  const valid = new Set([
    ...reached.map(({ session_id, project_id, role }) => `${session_id} ${project_id} ${role}`),
    ...(ids.length === 0 ? [] : await listKeysInForce(ctx.db, ids)),
  ]);
  return callers.filter(
    ({ visitor, key_id, project_id }) => !valid.has(visitor === null ? key_id : `${visitor.session_id} ${project_id} ${visitor.role}`),
  );
}
