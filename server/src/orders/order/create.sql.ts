import { isoOf, type Tx } from "#platform/index.ts";
import { joinJson, type Pipe, type Sent, send, sql } from "#platform/sql.ts";
import type { LinkRow, OrderRow } from "../shapes.ts";

export interface NewOrder {
  order: OrderRow;
  link: LinkRow;
}

/**
 * Orders of many tenants with their links; returns the ids of those whose reference was free.
 *
 * Plan: no index is read but those that the inserts check: up to 64 rows come from the parameters, one array for each column, so that the
 * text and its plan are the same for any number of orders. Metadata and customers go as one text each, split by character 31, because the
 * quotes of JSON would need escaping in an array. Links are made of the rows that were inserted, so that a taken reference leaves none.
 */
export function insertOrders<On extends Tx | Pipe>(tx: On, rows: readonly NewOrder[]): Sent<On, Set<string>> {
  const order = <K extends keyof OrderRow>(name: K) => rows.map((row) => row.order[name]);
  return send(
    tx,
    sql(tx)<{ id: string }>`
    with made as (
      insert into orders (project_id, livemode, id, reference, amount_minor, currency, exponent, description, metadata, customer,
        return_url, locale, expires_at, created_at, updated_at)
      select project_id, livemode, id, reference, amount_minor, currency, exponent, description, metadata::jsonb, customer::jsonb,
        return_url, locale, expires_at, created_at, created_at
      from unnest(${order("project_id")}::text[], ${order("livemode").map(String)}::text[]::boolean[], ${order("id")}::text[],
        ${order("reference")}::text[], ${order("amount_minor")}::bigint[], ${order("currency")}::text[], ${order("exponent")}::int[],
        ${order("description")}::text[], string_to_array(${joinJson(order("metadata").map((value) => JSON.stringify(value)))}, chr(31)),
        string_to_array(${joinJson(order("customer").map((value) => JSON.stringify(value)))}, chr(31)),
        ${order("return_url")}::text[], ${order("locale")}::text[],
        ${order("expires_at").map((at) => isoOf(at))}::timestamptz[], ${order("created_at").map((at) => isoOf(at))}::timestamptz[])
        as row (project_id, livemode, id, reference, amount_minor, currency, exponent, description, metadata, customer, return_url, locale,
          expires_at, created_at)
      on conflict do nothing
      returning project_id, livemode, id, created_at
    ), linked as (
      insert into payment_links (project_id, livemode, id, order_id, token, created_at)
      select made.project_id, made.livemode, link.id, made.id, link.token, made.created_at
      from made join unnest(${rows.map((row) => row.order.id)}::text[], ${rows.map((row) => row.link.id)}::text[],
        ${rows.map((row) => row.link.token)}::text[]) as link (order_id, id, token) on link.order_id = made.id
    )
    select id from made`,
    (inserted) => new Set(inserted.map((row) => row.id)),
  );
}
