import type { Tenant } from "#platform/index.ts";
import { type Db, type Fragment, listEnd, type PageCut, type Rows, sql } from "#platform/sql.ts";
import { subscribed } from "../subscribed.sql.ts";
import { firstNumberSince } from "./since.sql.ts";

export interface PulledEvent {
  id: string;
  sequence: number;
  event: string;
  body: Buffer;
  /** Created for one endpoint only. */
  test: boolean;
}

/** The state of an event's deliveries to webhook endpoints. */
export type DeliveryFilter = "delivered" | "undelivered" | "waiting" | "given_up";

export interface PullFilters {
  event: string[] | null;
  /**
   * `delivered`: all its endpoints have received it. `undelivered`: some endpoint has not; `waiting` is still retried and `given_up` is
   * not.
   */
  delivery: DeliveryFilter | null;
  created: { gte: Date | null; gt: Date | null; lte: Date | null; lt: Date | null };
  /** Includes test events. */
  tests: boolean;
}

/** A tenant's numbered events by number: newest first, unless ascending. */
export function listPulled(db: Db, tenant: Tenant, page: PullFilters & { cut: PageCut | null }): PromiseLike<Rows<PulledEvent>> & Fragment {
  const tag = sql(db);
  const open = tag`exists (select from webhook_deliveries d
    where d.project_id = e.project_id and d.livemode = e.livemode and d.sequence = e.sequence and d.state <> 'succeeded' and not d.callback
      ${page.delivery === "waiting" ? tag`and d.state in ('due', 'leased', 'set_aside')` : tag``}
      ${page.delivery === "given_up" ? tag`and d.state in ('failed', 'skipped')` : tag``})`;
  const { gte, gt } = page.created;
  const earliest = tag`greatest(app_now() - interval '720 hours', ${gte}::timestamptz, ${gt}::timestamptz)`;
  // A stream starts at a number already.
  const isBounded = page.cut?.ascending !== true;
  return tag<PulledEvent>`
    select e.id, e.sequence, e.event, e.body, e.test from events e
    where e.project_id = ${tenant.project_id} and e.livemode = ${tenant.livemode} and e.sequence is not null
      and e.created_at >= app_now() - interval '720 hours'
      ${isBounded ? tag`and e.sequence >= ${firstNumberSince(tag, tenant, earliest)}` : tag``}
      ${page.tests ? tag`` : tag`and not e.test`}
      ${page.event === null ? tag`` : tag`and ${subscribed(tag, tag`e.event`, tag`${page.event}::text[]`)}`}
      ${page.delivery === null ? tag`` : page.delivery === "delivered" ? tag`and not ${open}` : tag`and ${open}`}
      ${page.created.gte === null ? tag`` : tag`and e.created_at >= ${page.created.gte}`}
      ${page.created.gt === null ? tag`` : tag`and e.created_at > ${page.created.gt}`}
      ${page.created.lte === null ? tag`` : tag`and e.created_at <= ${page.created.lte}`}
      ${page.created.lt === null ? tag`` : tag`and e.created_at < ${page.created.lt}`}
      ${listEnd(db, tag`e.sequence`, page.cut)}`;
}

export async function findPulled(db: Db, tenant: Tenant, id: string): Promise<PulledEvent | null> {
  const [row] = await sql(db)<PulledEvent>`
    select id, sequence, event, body, test from events
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id} and sequence is not null
      and created_at >= app_now() - interval '720 hours'`;
  return row ?? null;
}

/** The number of a tenant's newest event. */
export async function findNewestNumber(db: Db, tenant: Tenant): Promise<number> {
  const [row] = await sql(db)<{ sequence: number }>`
    select sequence from events where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and sequence is not null
    order by sequence desc limit 1`;
  return row?.sequence ?? 0;
}
