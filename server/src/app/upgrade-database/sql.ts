import { type Db, type Fragment, sql } from "#platform/sql.ts";

/** An object in a database, and its properties as far as rows depend on them. */
export interface Thing {
  thing: string;
  shape: string;
}

/**
 * Everything in a database that is neither PostgreSQL's own nor a record of migrations, which differs between versions. Rows are left out.
 *
 * Plan: reads PostgreSQL's catalogs from end to end, some thousand rows in some 25 ms. It runs twice in an upgrade, once on each database,
 * and one statement sees all catalogs at the same moment. Members of extensions are left out, because a new major may have different ones.
 */
export async function listThings(db: Db): Promise<Thing[]> {
  return await sql(db)<Thing>`
    with schema as (select current_schema()::regnamespace as oid),
    relations as (
      select c.oid, c.relname, c.relkind from pg_class c, schema where c.relnamespace = schema.oid and c.relname !~ '^schema_migration'
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    )
    select case relkind when 'r' then 'table ' when 'p' then 'partitioned table ' when 'v' then 'view ' when 'm' then 'materialized view '
        when 'S' then 'sequence ' when 'f' then 'foreign table ' else 'composite type ' end || relname as thing,
      case when relkind in ('r', 'p') then ${columnsOfRelation(db)} else '' end as shape
    from relations where relkind in ('r', 'p', 'v', 'm', 'S', 'f', 'c')
    union all
    select 'index ' || i.relname || ' on ' || r.relname, '' from relations i
      join pg_index x on x.indexrelid = i.oid join relations r on r.oid = x.indrelid where i.relkind in ('i', 'I') and x.indisvalid
    union all
    select 'constraint ' || k.conname || ' on ' || r.relname, '' from pg_constraint k join relations r on r.oid = k.conrelid
      where k.contype in ('c', 'f', 'p', 'u', 'x')
    union all
    select 'trigger ' || t.tgname || ' on ' || r.relname, t.tgenabled::text from pg_trigger t join relations r on r.oid = t.tgrelid
      where not t.tgisinternal
    union all
    select 'policy ' || p.polname || ' on ' || r.relname, '' from pg_policy p join relations r on r.oid = p.polrelid
    union all
    select 'function ' || p.oid::regprocedure, '' from pg_proc p, schema where p.pronamespace = schema.oid
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    union all
    select 'type ' || t.typname, '' from pg_type t, schema where t.typnamespace = schema.oid and t.typtype in ('e', 'd', 'r')
    union all
    select 'schema ' || nspname, '' from pg_namespace where nspname !~ '^pg_' and nspname not in ('information_schema', current_schema())
    union all
    select 'extension ' || extname, '' from pg_extension
    union all
    select 'role ' || rolname, '' from pg_roles where rolname !~ '^pg_'
    union all
    select 'database ' || datname, '' from pg_database where not datistemplate
    union all
    select 'statistics ' || stxname, '' from pg_statistic_ext s, schema where s.stxnamespace = schema.oid
    union all
    select 'event trigger ' || evtname, '' from pg_event_trigger
    union all
    select 'publication ' || pubname, '' from pg_publication
    union all
    select 'large objects', '' where exists (select from pg_largeobject_metadata)
    union all
    select 'settings ' || concat_ws(' ', 'of ' || nullif(s.setrole, 0)::regrole::text, 'in ' || d.datname) || ': '
        || array_to_string(s.setconfig, ', '), ''
    from pg_db_role_setting s left join pg_database d on d.oid = s.setdatabase
    order by 1`;
}

/** A table's columns by name, with what rows depend on: types, collations, and how values are generated. */
function columnsOfRelation(db: Db): Fragment {
  return sql(db)`
    (select coalesce(string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
      (select 'collate ' || l.collname from pg_collation l where l.oid = a.attcollation and l.collname <> 'default'),
      nullif(a.attgenerated, '')), ', ' order by a.attname), '')
    from pg_attribute a where a.attrelid = relations.oid and a.attnum > 0 and not a.attisdropped)`;
}

/** How a database stores and compares texts. */
export async function findTextRules(db: Db): Promise<string> {
  const [row] = await sql(db)<{ rules: string }>`
    select concat_ws(' ', pg_encoding_to_char(encoding), to_jsonb(d)->>'datlocprovider', datcollate, datctype,
      to_jsonb(d)->>'datlocale') as rules
    from pg_database d where datname = current_database()`;
  return row?.rules ?? "";
}

/** The number of the next writing transaction: while it stays the same, nothing was written. */
export async function findNextTransaction(db: Db): Promise<string> {
  const [row] = await sql(db)<{ next: string }>`select pg_snapshot_xmax(pg_current_snapshot())::text as next`;
  return row?.next ?? "";
}

/** Of these names, those that are tables in this connection's schema. */
export async function listPresent(db: Db, names: readonly string[]): Promise<string[]> {
  const rows = await sql(db)<{ name: string }>`
    select relname::text as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and relname = any(${names}::text[])`;
  return rows.map(({ name }) => name);
}

/** Numbers of migrations that were cut off between two steps. */
export async function listCutOffMigrations(db: Db): Promise<number[]> {
  const rows = await sql(db)<{ number: number }>`select number from schema_migration_steps order by number`;
  return rows.map(({ number }) => number);
}

export interface AccountSum {
  account: string;
  sum: string;
}

/** The balance of every ledger account, added up from its transfers. */
export async function listAccountSums(db: Db): Promise<AccountSum[]> {
  return await sql(db)<AccountSum>`
    -- all tenants: the whole ledger is compared with its copy
    select concat_ws(' ', project_id, case when livemode then 'live' else 'test' end, gateway, account, currency) as account,
      sum(amount_minor)::text as sum
    from (
      select project_id, livemode, gateway, currency, debit as account, amount_minor from ledger_transfers
      union all
      select project_id, livemode, gateway, currency, credit, -amount_minor from ledger_transfers
    ) moved
    group by project_id, livemode, gateway, account, currency
    order by 1`;
}

export interface ChainHead {
  merchant: string;
  head: string;
}

/** How far each chain of the audit log reaches, and its last link. */
export async function listChainHeads(db: Db): Promise<ChainHead[]> {
  return await sql(db)<ChainHead>`
    select merchant_id as merchant, (to_jsonb(c) - 'merchant_id')::text as head from audit_chains c order by merchant_id`;
}
