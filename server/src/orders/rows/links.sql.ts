import type { Tenant, Tx } from "#platform/index.ts";
import { type ColumnsOf, columns, type Db, firstRow, type Pipe, type Sent, send, sql } from "#platform/sql.ts";
import type { LinkRow } from "../shapes.ts";

const linkColumns: ColumnsOf<LinkRow> = columns(
  "payment_links",
  `
  project_id, livemode, id, order_id, token, revoked_at, created_at`,
);

/** The order's newest link, revoked or not. */
export function findLink<On extends Db | Pipe>(db: On, tenant: Tenant, orderId: string): Sent<On, LinkRow | null> {
  return send(
    db,
    sql(db)<LinkRow>`
    select ${linkColumns} from payment_links where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and order_id = ${orderId}
    order by id desc limit 1`,
    firstRow,
  );
}

export async function findLinkById(db: Db, tenant: Tenant, id: string): Promise<LinkRow | null> {
  const [row] = await sql(db)<LinkRow>`
    select ${linkColumns} from payment_links where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}`;
  return row ?? null;
}

export async function updateLinksRevoked(tx: Tx, tenant: Tenant, given: { orderId: string }): Promise<number> {
  const rows = await sql(tx)`
    update payment_links set revoked_at = app_now()
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and order_id = ${given.orderId} and revoked_at is null`;
  return rows.count;
}

export async function insertLink(tx: Tx, link: LinkRow): Promise<void> {
  await sql(tx)`
    insert into payment_links (project_id, livemode, id, order_id, token, created_at)
    values (${link.project_id}, ${link.livemode}, ${link.id}, ${link.order_id}, ${link.token}, ${link.created_at})`;
}
