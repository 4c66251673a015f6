import type { Ctx } from "#platform/index.ts";
import { listReached, type SessionReach } from "../people/sql.ts";
import type { Visitor } from "../people/visitor.ts";
import { hasSecondStep } from "../second-step/require-second-step.ts";
import type { Principal } from "./authenticate-key.ts";
import { type KeyReach, listKeysInForce } from "./sql.ts";

/**
 * Callers that were admitted earlier and are still connected, as they are now: a key with its current permissions and addresses, a person
 * with the second step that is asked of them now. null for those who lost access: the session has ended or its role at the project has
 * changed, or the key was revoked or has expired. At most two queries for all of them.
 */
export async function readAgain(ctx: Pick<Ctx, "db">, callers: readonly Principal[]): Promise<(Principal | null)[]> {
  const pairs = callers.flatMap(({ visitor, project_id }) => (visitor === null ? [] : [{ session_id: visitor.session_id, project_id }]));
  const ids = callers.flatMap(({ visitor, key_id }) => (visitor === null ? [key_id] : []));
  const reached = pairs.length === 0 ? [] : await listReached(ctx.db, pairs);
  const inForce = ids.length === 0 ? [] : await listKeysInForce(ctx.db, ids);
  const sessions = new Map(reached.map((row) => [`${row.session_id} ${row.project_id}`, row]));
  const keys = new Map(inForce.map((row) => [row.id, row]));
  return callers.map((caller) => {
    const { visitor, key_id, project_id } = caller;
    if (visitor === null) return keyAgain(caller, keys.get(key_id));
    return personAgain(caller, visitor, sessions.get(`${visitor.session_id} ${project_id}`));
  });
}

function keyAgain(caller: Principal, row: KeyReach | undefined): Principal | null {
  return row === undefined ? null : { ...caller, scopes: new Set(row.permissions), allowed_ips: row.allowed_ips };
}

function personAgain(caller: Principal, visitor: Visitor, row: SessionReach | undefined): Principal | null {
  if (row === undefined || row.role !== visitor.role) return null;
  const now = { has_second_step: hasSecondStep(row), merchant_asks_second_step: row.second_step_required };
  return { ...caller, visitor: { ...visitor, ...now } };
}
