import type { Tenant, Tx } from "#platform/index.ts";
import { known, type Pipe, type Sent, send, sql } from "#platform/sql.ts";
import type { Measure } from "./sql.ts";

/** What is counted together against a cap. */
interface Counted {
  measure: Measure;
  /** The price table's; segments and minutes have none. */
  currency: string | null;
  /** `2026-11-24` or `2026-11`. */
  period: string;
}

/** The currency of what is counted: null for segments and minutes, of channels without prices. */
export function currencyOf({ measure, currency }: Pick<Counted, "measure" | "currency">): string | null {
  return measure === "spend_micros" ? currency : null;
}

/** Parts of an upsert into `message_spending as s`, where a period's row may count another currency by now. */
function inItsCurrency(on: Tx | Pipe) {
  const tag = sql(on);
  const isSame = tag`coalesce(s.currency, excluded.currency) is not distinct from excluded.currency`;
  return {
    isSame,
    /** What was used before, in the new currency. */
    used: tag`case when ${isSame} then s.used else coalesce((s.other_currencies ->> excluded.currency)::bigint, 0) end`,
    /** Keeps what was used in the currency that the row had. */
    turned: tag`currency = excluded.currency, other_currencies = case when ${isSame} then s.other_currencies
      else s.other_currencies - excluded.currency || jsonb_build_object(s.currency, s.used) end`,
  };
}

export interface Spent {
  used: number;
  told: number;
}

/** Adds to what a project spent in a period unless that would exceed `limit`; null if it would. */
export function insertSpending(pipe: Pipe, tenant: Tenant, given: Counted & { wanted: number; limit: number }): Sent<Pipe, Spent | null> {
  if (given.wanted > given.limit) return known(pipe, null);
  const { isSame, used, turned } = inItsCurrency(pipe);
  return send(
    pipe,
    sql(pipe)<Spent>`
    insert into message_spending as s (project_id, livemode, measure, currency, period, used)
    values (${tenant.project_id}, ${tenant.livemode}, ${given.measure}, ${currencyOf(given)}, ${given.period}, ${given.wanted})
    on conflict (project_id, livemode, measure, period) do update set used = ${used} + excluded.used,
      told = case when ${isSame} then s.told else 0 end, ${turned}
    where ${used} + excluded.used <= ${given.limit}
    returning used, told`,
    (rows) => rows[0] ?? null,
  );
}

/** Records that a notice about a part of a cap is sent; false if it already was. */
export async function updateNotified(tx: Tx, tenant: Tenant, given: Counted & { level: number }): Promise<boolean> {
  const { isSame, used, turned } = inItsCurrency(tx);
  const rows = await sql(tx)`
    insert into message_spending as s (project_id, livemode, measure, currency, period, used, told)
    values (${tenant.project_id}, ${tenant.livemode}, ${given.measure}, ${currencyOf(given)}, ${given.period}, 0, ${given.level})
    on conflict (project_id, livemode, measure, period) do update set used = ${used}, told = excluded.told, ${turned}
    where not ${isSame} or s.told < excluded.told`;
  return rows.count === 1;
}

/** Returns what was reserved and not used, in the currency in which it was reserved. */
export function updateSpending(pipe: Pipe, tenant: Tenant, given: Counted & { freed: number }): Sent<Pipe, void> {
  const tag = sql(pipe);
  const isSame = tag`coalesce(${given.currency}, currency) is not distinct from coalesce(currency, ${given.currency})`;
  return send(
    pipe,
    tag`
    update message_spending set used = case when ${isSame} then greatest(used - ${given.freed}, 0) else used end,
      other_currencies = case when ${isSame} or not other_currencies ? ${given.currency} then other_currencies
        else other_currencies || jsonb_build_object(${given.currency}::text,
          greatest((other_currencies ->> ${given.currency})::bigint - ${given.freed}, 0)) end
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and measure = ${given.measure} and period = ${given.period}`,
    () => {},
  );
}
