import { sql, type Tx } from "../sql.ts";

export async function insertNotice(tx: Tx, row: { id: string; kind: string; recipient: string; params: string; now: Date }): Promise<void> {
  await sql(tx)`
    insert into notices (id, kind, recipient, params, due_at, created_at)
    values (${row.id}, ${row.kind}, ${row.recipient}, ${row.params}, ${row.now}, ${row.now})`;
}
