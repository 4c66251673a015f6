import { type Db, sql } from "#platform/sql.ts";

export interface ColumnRow {
  table: string;
  line: string;
}

export interface NamedRow {
  table: string;
  definition: string;
}

export async function listColumns(db: Db): Promise<ColumnRow[]> {
  return await sql(db)<ColumnRow>`
    select c.relname as table,
      concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
        case when a.attcollation <> 0 and a.attcollation <> t.typcollation then 'collate ' || quote_ident(k.collname) end,
        case when a.attnotnull then 'not null' end,
        case when a.attidentity <> '' then 'generated always as identity' end,
        case when d.oid is not null then 'default ' || pg_get_expr(d.adbin, d.adrelid) end) as line
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_collation k on k.oid = a.attcollation
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by c.relname, a.attnum`;
}

export async function listConstraints(db: Db): Promise<NamedRow[]> {
  return await sql(db)<NamedRow>`
    select c.relname as table, format('constraint %I %s', k.conname, pg_get_constraintdef(k.oid)) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where c.relnamespace = 'public'::regnamespace and k.contype in ('p', 'u', 'f', 'c', 'x')
    order by c.relname, array_position(array['p', 'u', 'f', 'c', 'x'], k.contype::text), k.conname`;
}

export async function listIndexes(db: Db): Promise<NamedRow[]> {
  return await sql(db)<NamedRow>`
    select c.relname as table, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_class n on n.oid = i.indexrelid
    where c.relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
    order by c.relname, n.relname`;
}

export async function listTriggers(db: Db): Promise<NamedRow[]> {
  return await sql(db)<NamedRow>`
    select c.relname as table, pg_get_triggerdef(t.oid) as definition
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
    order by c.relname, t.tgname`;
}

export async function listFunctions(db: Db): Promise<{ definition: string }[]> {
  return await sql(db)<{ definition: string }>`
    select pg_get_functiondef(p.oid) as definition
    from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by p.proname, p.oid`;
}

export async function listExtensions(db: Db): Promise<{ name: string }[]> {
  return await sql(db)<{ name: string }>`select extname as name from pg_extension where extname <> 'plpgsql' order by extname`;
}
