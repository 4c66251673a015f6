import { type Db, sql } from "#platform/sql.ts";

/** The role of a connection, and whether it owns Tillpost's tables. */
export interface RoleFacts {
  name: string;
  is_superuser: boolean;
  /** Whether it owns tables of Tillpost, or is a member of a role that does. */
  owns: boolean;
}

export async function findRole(db: Db): Promise<RoleFacts> {
  const [row] = await sql(db)<RoleFacts>`
    select current_user::text as name, (select rolsuper from pg_roles where rolname = current_user) as is_superuser,
      exists (select from pg_class where oid = to_regclass('schema_migrations') and pg_has_role(relowner, 'USAGE')) as owns`;
  return row as RoleFacts;
}

export interface HeldRow {
  table: string;
  privileges: string[];
}

/** The privileges of the connection's role on each of Tillpost's tables or their columns, whatever they come from. */
export async function listHeld(db: Db): Promise<HeldRow[]> {
  return await sql(db)<HeldRow>`
    select c.relname::text as table, array(
      select p from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) p
      where has_table_privilege(c.oid, p)
        or case when p in ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES') then has_any_column_privilege(c.oid, p) else false end) as privileges
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and c.relowner = (select relowner from pg_class where oid = to_regclass('schema_migrations'))
    order by c.relname`;
}

/** Of these functions, those that the connection's role can't call. */
export async function listUncallable(db: Db, names: readonly string[]): Promise<string[]> {
  const rows = await sql(db)<{ name: string }>`
    select proname::text as name from pg_proc
    where pronamespace = current_schema()::regnamespace and proname = any(${names}::text[]) and not has_function_privilege(oid, 'EXECUTE')
    order by proname`;
  return rows.map(({ name }) => name);
}
