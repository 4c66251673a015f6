import { guardedTables, ownerFunctions, usualPrivileges } from "./privileges.ts";

/** Names of the two roles: one owns the tables and migrates, the other serves. */
export interface RoleNames {
  owner: string;
  app: string;
}

/** The default names of the roles. */
export const usualRoles: RoleNames = { owner: "tillpost_owner", app: "tillpost_app" };

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Creates a role with login if it doesn't exist. Without `password`, one must be set separately. */
export function roleScript(name: string, password?: string, attributes: "login" | "login replication" = "login"): string {
  const statement =
    password === undefined
      ? `format('create role %I ${attributes}', ${literal(name)})`
      : `format('create role %I ${attributes} password %L', ${literal(name)}, ${literal(password)})`;
  return `do $$ begin
  if not exists (select from pg_roles where rolname = ${literal(name)}) then
    execute ${statement};
  end if;
end $$;`;
}

/**
 * Makes `owner` own Tillpost's objects in this database, and lets it create more. Takes what belongs to the owner of `schema_migrations`,
 * and nothing of other programs in the same schema; changes nothing if that is already so.
 */
export function ownershipScript({ owner }: Pick<RoleNames, "owner">): string {
  return `do $$
declare
  owner_name constant text := ${literal(owner)};
  owner_id constant oid := (select oid from pg_roles where rolname = owner_name);
  from_id constant oid := (select relowner from pg_class where oid = to_regclass('schema_migrations'));
  one record;
begin
  if not (select rolsuper from pg_roles where rolname = current_user) and current_user <> owner_name then
    execute format('grant %I to %I', owner_name, current_user);
  end if;
  if not (has_schema_privilege(owner_id, current_schema(), 'USAGE') and has_schema_privilege(owner_id, current_schema(), 'CREATE')) then
    execute format('grant usage, create on schema %I to %I', current_schema(), owner_name);
  end if;
  for one in
    select format('alter %s %s owner to %I', case relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end, oid::regclass, owner_name) as statement
    from pg_class c
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'S') and relowner = from_id and relowner <> owner_id
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'e', 'i'))
    union all
    select format('alter routine %s owner to %I', oid::regprocedure, owner_name)
    from pg_proc p
    where pronamespace = current_schema()::regnamespace and proowner = from_id and proowner <> owner_id
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  loop
    execute one.statement;
  end loop;
end $$;`;
}

/**
 * Grants `app` the serving role's privileges on each of the owner's tables, including future ones, and revokes the others. Sends statements
 * only for differences, so that a read-only database isn't written to.
 */
export function grantsScript({ owner, app }: RoleNames): string {
  const guarded = Object.entries(guardedTables).map(([table, may]) => `(${literal(table)}, ${literal(may.join(","))})`);
  return `do $$
declare
  owner_name constant text := ${literal(owner)};
  owner_id constant oid := (select oid from pg_roles where rolname = owner_name);
  app_name constant text := ${literal(app)};
  app_id constant oid := (select oid from pg_roles where rolname = app_name);
  one record;
begin
  if not has_schema_privilege(app_id, current_schema(), 'USAGE') then
    execute format('grant usage on schema %I to %I', current_schema(), app_name);
  end if;
  if not exists (select from pg_default_acl d cross join lateral aclexplode(d.defaclacl) a
    where d.defaclrole = owner_id and d.defaclnamespace = current_schema()::regnamespace and d.defaclobjtype = 'r' and a.grantee = app_id) then
    execute format('alter default privileges for role %I in schema %I grant ${usualPrivileges.join(", ")} on tables to %I', owner_name, current_schema(), app_name);
  end if;
  for one in
    with guarded (relname, may) as (values
      ${guarded.join(",\n      ")}
    ), ours as (
      select relname::text, relacl from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relowner = owner_id
    ), wanted as (
      select o.relname, p.privilege from ours o left join guarded g on g.relname = o.relname
      cross join lateral unnest(string_to_array(coalesce(g.may, ${literal(usualPrivileges.join(","))}), ',')) as p (privilege)
    ), held as (
      select o.relname, a.privilege_type as privilege from ours o cross join lateral aclexplode(o.relacl) a where a.grantee = app_id
    )
    select format('grant %s on %I to %I', string_agg(privilege, ', '), relname, app_name) as statement
    from (select relname, privilege from wanted except select relname, privilege from held) missing group by relname
    union all
    select format('revoke %s on %I from %I', string_agg(privilege, ', '), relname, app_name)
    from (select relname, privilege from held except select relname, privilege from wanted) excess group by relname
    union all
    select format('grant execute on function %s to %I', oid::regprocedure, app_name)
    from pg_proc where pronamespace = current_schema()::regnamespace and proowner = owner_id and proname in (${ownerFunctions.map(literal).join(", ")})
      and not has_function_privilege(app_id, oid, 'EXECUTE')
  loop
    execute one.statement;
  end loop;
end $$;`;
}

/** The whole script, to be run manually. */
export function rolesScript({ owner, app }: RoleNames): string {
  return `-- Run this in Tillpost's database, as a superuser or as the role that owns the tables now if it may create roles. It can be run again.

-- The two roles. Leave this out where they exist already or are made elsewhere, such as in a provider's console.
${roleScript(owner)}
${roleScript(app)}
-- Give each a password of its own, in psql: \\password ${owner}

-- Tillpost's tables and functions become those of ${owner}.
${ownershipScript({ owner })}

-- What ${app} may do.
${grantsScript({ owner, app })}
`;
}
