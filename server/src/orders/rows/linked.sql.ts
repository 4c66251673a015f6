import { type Db, sql } from "#platform/sql.ts";
import type { LinkRow, OrderBundle, VoucherRow } from "../shapes.ts";
import { type BundleRow, bundleOf, findCurrentSession, orderColumns, withDates } from "./orders.sql.ts";

/** The order of a payment link, with everything that its page shows about it. `link` is the one with the token. */
export interface LinkedRow extends OrderBundle {
  link: LinkRow;
  /** The newest proof. */
  voucher: VoucherRow | null;
  /** Refunds that the buyer has to claim, and where. */
  claims: { amount_minor: number; url: string }[];
  /** Refunds to the buyer that came back to the merchant, and weren't refunded again since. */
  returned_minor: number;
  /** Until when the code or page of the session's provider works, if that ends before the session; null without one. */
  action_expires_at: Date | null;
  /** The database's time of this read. */
  now: Date;
}

type Read = Omit<BundleRow, "link"> &
  Pick<LinkedRow, "link" | "voucher" | "returned_minor" | "action_expires_at" | "now"> & { claims: LinkedRow["claims"] | null };

const voucherDates = ["paid_at", "reviewed_at", "created_at", "updated_at"] as const;

/**
 * The orders of links with these tokens, in any project; unknown tokens are omitted.
 *
 * Plan: `payment_links_token` finds the links, each of the rest is one index lookup by the order or its session. In one statement, because
 * every view of the page needs all of it, and a round trip costs more than these lookups.
 */
export async function listLinked(db: Db, tokens: readonly string[]): Promise<LinkedRow[]> {
  const [first = ""] = tokens;
  // With one token, PostgreSQL keeps the plan; with an array, it plans every time.
  const rows = await sql(db)<Read>`
    -- all tenants: a buyer holds nothing but the token
    select ${orderColumns.of("o")}, row_to_json(k) as link, s.session, v.voucher, r.claims, r.returned_minor,
      g.action_expires_at, app_now() as now
    from payment_links k
    join orders o on o.project_id = k.project_id and o.livemode = k.livemode and o.id = k.order_id ${findCurrentSession(db)}
    left join lateral (select row_to_json(v) as voucher from vouchers v
      where v.project_id = o.project_id and v.livemode = o.livemode and v.order_id = o.id order by v.id desc limit 1) v on true
    left join gateway_payments g on g.project_id = o.project_id and g.livemode = o.livemode
      and g.payment_session_id = (s.session ->> 'id')
    cross join lateral (select
        json_agg(json_build_object('amount_minor', r.amount_minor, 'url', r.next_action ->> 'url') order by r.id)
          filter (where r.status = 'requires_action' and r.next_action ->> 'url' is not null) as claims,
        coalesce(sum(r.amount_minor) filter (where r.status = 'failed' and r.succeeded_at is not null and r.currency = o.currency
          and not exists (select from refunds later
            where later.project_id = r.project_id and later.livemode = r.livemode and later.order_id = r.order_id
              and later.status <> 'failed' and later.created_at >= r.failed_at)), 0)::bigint as returned_minor
      from refunds r where r.project_id = o.project_id and r.livemode = o.livemode and r.order_id = o.id) r
    where ${tokens.length === 1 ? sql(db)`k.token = ${first}` : sql(db)`k.token = any (${[...tokens]}::text[])`}`;
  return rows.map(linkedOf);
}

function linkedOf(row: Read): LinkedRow {
  const { order, session } = bundleOf({ ...row, link: null });
  const { claims, returned_minor, action_expires_at, now } = row;
  const voucher = row.voucher === null ? null : withDates(row.voucher, voucherDates);
  const link = withDates(row.link, ["revoked_at", "created_at"]);
  return { order, session, link, voucher, claims: claims ?? [], returned_minor, action_expires_at, now };
}
