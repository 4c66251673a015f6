import { type Db, sql, type Tx } from "#platform/sql.ts";

export interface AuditKeyRow {
  name: string;
  sealed: string;
  chains: number;
  mac: Buffer;
  created_at: Date;
}

/** One merchant's chain: its number, its end, and after which row it is keyed. */
export interface Chain {
  merchant_id: string;
  number: number;
  keyed_from: number;
  position: number;
  hash: Buffer;
  mac: Buffer;
}

/** A chain as stored, which may lack fields of a sealed one. */
export type FoundChain = Pick<Chain, "merchant_id" | "position" | "hash"> & {
  number: number | null;
  keyed_from: number | null;
  mac: Buffer | null;
};

export async function findAuditKey(db: Db): Promise<AuditKeyRow | null> {
  const [row] = await sql(db)<AuditKeyRow>`select name, sealed, chains, mac, created_at from audit_key`;
  return row ?? null;
}

export async function lockAuditKey(tx: Tx): Promise<AuditKeyRow> {
  const [row] = await sql(tx)<AuditKeyRow>`select name, sealed, chains, mac, created_at from audit_key for update`;
  return row as AuditKeyRow;
}

export async function insertAuditKey(tx: Tx, row: AuditKeyRow): Promise<boolean> {
  const rows = await sql(tx)`
    insert into audit_key (name, sealed, chains, mac, created_at)
    values (${row.name}, ${row.sealed}, ${row.chains}, ${row.mac}, ${row.created_at})
    on conflict do nothing`;
  return rows.count === 1;
}

/** How many rows and chain ends show that a key was in use. */
export async function countKeyed(db: Db): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`
    -- all tenants: the whole log has one key
    select (select count(*) from audit_chains where mac is not null)
      + (select count(*) from (select 1 from audit_log where keyed limit 1) k) as count`;
  return Number(row?.count ?? 0);
}

export async function lockUnsealedChains(tx: Tx): Promise<Pick<Chain, "merchant_id" | "position" | "hash">[]> {
  return await sql(tx)<
    Pick<Chain, "merchant_id" | "position" | "hash">
  >`select merchant_id, position, hash from audit_chains order by merchant_id for update`;
}

export async function updateChainsSealed(tx: Tx, chains: Chain[], register: { chains: number; mac: Buffer }): Promise<void> {
  await sql(tx)`
    update audit_chains c set number = u.number, keyed_from = u.keyed_from, mac = decode(u.mac, 'hex')
    from unnest(${chains.map((chain) => chain.merchant_id)}::text[], ${chains.map((chain) => chain.number)}::bigint[],
      ${chains.map((chain) => chain.keyed_from)}::bigint[], ${chains.map((chain) => chain.mac.toString("hex"))}::text[])
      as u (merchant_id, number, keyed_from, mac)
    where c.merchant_id = u.merchant_id collate "C"`;
  await updateChainCount(tx, register);
}

export async function updateChainCount(tx: Tx, register: { chains: number; mac: Buffer }): Promise<void> {
  await sql(tx)`update audit_key set chains = ${register.chains}, mac = ${register.mac}`;
}

/** Begins a merchant's chain; false if it has one. */
export async function insertChain(tx: Tx, chain: Chain): Promise<boolean> {
  const rows = await sql(tx)`
    insert into audit_chains (merchant_id, number, keyed_from, position, hash, mac)
    values (${chain.merchant_id}, ${chain.number}, ${chain.keyed_from}, ${chain.position}, ${chain.hash}, ${chain.mac})
    on conflict do nothing`;
  return rows.count === 1;
}

export async function findChain(db: Db, merchantId: string): Promise<FoundChain | null> {
  const [row] = await sql(db)<FoundChain>`
    select merchant_id, number, keyed_from, position, hash, mac from audit_chains where merchant_id = ${merchantId}`;
  return row ?? null;
}

export async function lockChain(tx: Tx, merchantId: string): Promise<FoundChain | null> {
  const [row] = await sql(tx)<FoundChain>`
    select merchant_id, number, keyed_from, position, hash, mac from audit_chains where merchant_id = ${merchantId} for update skip locked`;
  return row ?? null;
}

export async function updateChainEnd(tx: Tx, chain: Chain): Promise<void> {
  await sql(tx)`update audit_chains set position = ${chain.position}, hash = ${chain.hash}, mac = ${chain.mac}
    where merchant_id = ${chain.merchant_id}`;
}

/** The key and every chain, as they were at one moment. */
export async function findAllChains(db: Db): Promise<{ key: AuditKeyRow | null; chains: FoundChain[] }> {
  const rows = await sql(db)<AuditKeyRow & FoundChain & { key_mac: Buffer }>`
    select k.name, k.sealed, k.chains, k.mac as key_mac, k.created_at, c.merchant_id, c.number, c.keyed_from, c.position, c.hash, c.mac
    from audit_key k full join audit_chains c on true order by c.merchant_id`;
  const [first] = rows;
  const key = first === undefined || first.name === null ? null : { ...first, mac: first.key_mac };
  return { key, chains: rows.filter(({ merchant_id }) => merchant_id !== null) };
}

/** Merchants without a chain that have chained rows or are older than a given time. */
export async function listUnchainedMerchants(db: Db, given: { before: Date; own: string }): Promise<string[]> {
  const rows = await sql(db)<{ merchant_id: string }>`
    -- all tenants: the operator's check of the whole log
    select distinct merchant_id from audit_log a where position is not null
      and not exists (select 1 from audit_chains c where c.merchant_id = a.merchant_id)
    union select id from merchants m where id <> ${given.own} and created_at < ${given.before}
      and not exists (select 1 from audit_chains c where c.merchant_id = m.id)`;
  return rows.map((row) => row.merchant_id);
}

export interface AnchorRow {
  /** YYYY-MM-DD, UTC. */
  day: string;
  chains: number;
  rows: number;
  root: string;
  created_at: Date;
}

/** The first and last anchored day since a day, or of all days if none is given. */
export async function findAnchoredDays(
  db: Db,
  { from, without }: { from: string | null; without: readonly string[] },
): Promise<{ first: string | null; last: string | null }> {
  const [row] = await sql(db)<{ first: string | null; last: string | null }>`
    select min(day)::text as first, max(day)::text as last from audit_anchors
    where day >= coalesce(${from}::date, '-infinity') and day::text <> all(${without}::text[])`;
  return row ?? { first: null, last: null };
}

/** Anchored days that are still to come, because the clock was ahead. */
export async function listDaysAhead(db: Db): Promise<string[]> {
  const rows = await sql(db)<{ day: string }>`
    select day::text as day from audit_anchors where day > (app_now() at time zone 'UTC')::date order by day`;
  return rows.map(({ day }) => day);
}

/** Records that a day was anchored; null if another process has recorded it, otherwise whether any day was recorded before. */
export async function insertAnchor(tx: Tx, row: AnchorRow): Promise<{ is_first: boolean } | null> {
  const [before] = await sql(tx)<{ is_first: boolean }>`select not exists (select 1 from audit_anchors) as is_first`;
  const rows = await sql(tx)`
    insert into audit_anchors (day, chains, rows, root, created_at)
    values (${row.day}, ${row.chains}, ${row.rows}, ${row.root}, ${row.created_at})
    on conflict do nothing`;
  return rows.count === 1 ? (before ?? null) : null;
}

/** An anchor as it is in its file. */
export interface AnchorLine {
  seal: string;
  /** The seal of the previous one; null for the first. */
  follows: string | null;
  /** As JSON. */
  anchor: string;
  created_at: Date;
}

/** Which of these seals are stored. */
export async function listKnownSeals(tx: Tx, seals: readonly string[]): Promise<Set<string>> {
  const rows = await sql(tx)<{ seal: string }>`select seal from audit_anchor_lines where seal = any(${seals}::text[])`;
  return new Set(rows.map(({ seal }) => seal));
}

export async function insertAnchorLines(tx: Tx, lines: readonly AnchorLine[]): Promise<void> {
  await sql(tx)`
    insert into audit_anchor_lines (seal, follows, anchor, created_at)
    select seal, follows, anchor, created_at from unnest(${lines.map(({ seal }) => seal)}::text[],
      ${lines.map(({ follows }) => follows)}::text[], ${lines.map(({ anchor }) => anchor)}::text[],
      ${lines.map(({ created_at }) => created_at)}::timestamptz[]) as u (seal, follows, anchor, created_at)
    on conflict do nothing`;
}

/** Whether the database keeps anchors: one of an earlier version doesn't. */
export async function findKeepsAnchors(db: Db): Promise<boolean> {
  const [row] = await sql(db)<{ found: boolean }>`select to_regclass('audit_anchor_lines') is not null as found`;
  return row?.found === true;
}

/** The texts of the anchors that follow the one with this seal, or that follow none. */
export async function listFollowing(db: Db, seal: string | null): Promise<string[]> {
  const rows = await sql(db)<{ anchor: string }>`
    select anchor from audit_anchor_lines where follows is not distinct from ${seal}::text order by created_at, seal`;
  return rows.map(({ anchor }) => anchor);
}

/** The seals of all anchors that another one follows. */
export async function listFollowed(db: Db): Promise<Set<string>> {
  const rows = await sql(db)<{ follows: string }>`select distinct follows from audit_anchor_lines where follows is not null`;
  return new Set(rows.map(({ follows }) => follows));
}
