import { asBuffer, type Tenant } from "#platform/index.ts";
import { type Db, sql, type Tx } from "#platform/sql.ts";
import { type Parted, partBytes, partsIn } from "./stored-body.ts";

export type OwnText = Tenant & { email_id: string };

/** How many parts one statement or one result has: larger ones cost the serving thread several times their size. */
const partsAtOnce = 4;

/** Stores a long text of an existing message in parts, numbered from `first`. */
export async function insertParts(
  tx: Tx,
  { project_id, livemode, email_id }: OwnText,
  { first, packed }: { first: number; packed: Uint8Array },
): Promise<void> {
  for (let part = 0; part < partsIn(packed.length); part += partsAtOnce) {
    const bytes = packed.subarray(part * partBytes, (part + partsAtOnce) * partBytes);
    await sql(tx)`
      insert into email_body_parts (project_id, livemode, email_id, part, bytes)
      select ${project_id}, ${livemode}, ${email_id}, ${first + part}::int + n,
        substring(${bytes} from n * ${partBytes}::int + 1 for ${partBytes}::int)
      from generate_series(0, ${partsIn(bytes.length) - 1}::int) n`;
  }
}

/** Copies parts of one message to another one of the same tenant, in the database: the text is only sent there once. */
export async function insertSameParts(
  tx: Tx,
  to: OwnText & { first: number },
  from: { email_id: string; first: number; parts: number },
): Promise<void> {
  await sql(tx)`
    insert into email_body_parts (project_id, livemode, email_id, part, bytes)
    select project_id, livemode, ${to.email_id}, part + ${to.first - from.first}::int, bytes from email_body_parts
    where project_id = ${to.project_id} and livemode = ${to.livemode} and email_id = ${from.email_id} and part >= ${from.first}
      and part < ${from.first + from.parts}`;
}

/** Reads a long text that was stored in parts, into memory that can be transferred; null once the parts are deleted. */
export async function findPacked(
  db: Db,
  { project_id, livemode, email_id }: OwnText,
  parted: Pick<Parted, "first" | "parts" | "packed">,
): Promise<Uint8Array | null> {
  const packed = new Uint8Array(parted.packed);
  const into = asBuffer(packed);
  let length = 0;
  for (let part = 0; part < parted.parts; part += partsAtOnce) {
    const [from, to] = [parted.first + part, parted.first + Math.min(part + partsAtOnce, parted.parts)];
    const rows = await sql(db)<{ base64: string }>`
      select encode(bytes, 'base64') as base64 from email_body_parts
      where project_id = ${project_id} and livemode = ${livemode} and email_id = ${email_id} and part >= ${from} and part < ${to}
      order by part`;
    for (const { base64 } of rows) length += into.write(base64, length, "base64");
  }
  return length === packed.length ? packed : null;
}
