import { type Fragment, joinJson, known, type Pipe, type Sent, send, sql, type Tx } from "../sql.ts";
import type { KeyOf } from "./sql.ts";

/** Writes results with claims that this transaction holds. */
export function updateKeyResults<On extends Tx | Pipe>(tx: On, rows: readonly { claim: KeyOf; result: string }[]): Sent<On, void> {
  if (rows.length === 0) return known(tx, undefined);
  const claims = rows.map(({ claim }) => claim);
  return send(
    tx,
    sql(tx)`
    -- all tenants: a group commit holds requests of many; each row carries its own
    update idempotency_keys k set result = written.result
    from ${givenKeys(tx, claims)}
    join unnest(string_to_array(${joinJson(rows.map(({ result }) => result))}, chr(31))) with ordinality as written (result, at)
      on written.at = given.at
    where ${sameKey(tx)}`,
    () => {},
  );
}

export function deleteKeys<On extends Tx | Pipe>(tx: On, claims: readonly KeyOf[]): Sent<On, void> {
  if (claims.length === 0) return known(tx, undefined);
  return send(
    tx,
    sql(tx)`
    -- all tenants: a group commit holds requests of many; each key carries its own
    delete from idempotency_keys k using ${givenKeys(tx, claims)} where ${sameKey(tx)}`,
    () => {},
  );
}

function givenKeys(on: Tx | Pipe, claims: readonly KeyOf[]): Fragment {
  const each = <K extends keyof KeyOf>(name: K) => claims.map((claim) => claim[name]);
  return sql(on)`unnest(${each("project_id")}::text[], ${each("livemode").map(String)}::text[]::boolean[], ${each("method")}::text[],
      ${each("path")}::text[], ${each("key")}::text[]) with ordinality as given (project_id, livemode, method, path, key, at)`;
}

function sameKey(on: Tx | Pipe): Fragment {
  return sql(on)`k.project_id = given.project_id and k.livemode = given.livemode and k.method = given.method and k.path = given.path
    and k.key = given.key`;
}
