import type postgres from "postgres";
import type { Migration } from "./read-migrations.ts";

type Client = postgres.Sql | postgres.TransactionSql;

/** Makes the tables of the records as this version wants them, and takes the files of today as what earlier versions applied. */
export async function prepareRecords(client: postgres.Sql, migrations: readonly Migration[]): Promise<void> {
  await client.unsafe(`
    create table if not exists schema_migrations (number int primary key, name text not null, applied_at timestamptz not null default now());
    alter table schema_migrations add column if not exists checksum text;
    alter table schema_migrations add column if not exists min_program int not null default 0;
    create table if not exists schema_migration_steps (number int primary key, checksum text not null, steps_done int not null);
  `);
  for (const { number, checksum } of migrations)
    await client`update schema_migrations set checksum = ${checksum} where number = ${number} and checksum is null`;
}

/** Notes a migration as applied. */
export async function recordApplied(client: Client, { number, name, checksum, minProgram }: Migration): Promise<void> {
  await client`
    insert into schema_migrations (number, name, checksum, min_program)
    values (${number}, ${name}, ${checksum}, coalesce(${minProgram}::int, (select max(min_program) from schema_migrations), 0))`;
}
