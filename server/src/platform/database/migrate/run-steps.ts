import type postgres from "postgres";
import type { Migration, Step } from "./read-migrations.ts";
import { recordApplied } from "./records.ts";
import { withLockTimeout } from "./with-lock-timeout.ts";

/** Applies a migration that is not one transaction. After each step its place is noted, so that one that was cut off goes on where it stood. */
export async function runSteps(client: postgres.Sql, migration: Migration, steps: readonly Step[]): Promise<void> {
  const { number, checksum, name } = migration;
  await client`
    insert into schema_migration_steps (number, checksum, steps_done) values (${number}, ${checksum}, 0)
    on conflict (number) do update set checksum = excluded.checksum, steps_done = case when schema_migration_steps.checksum = excluded.checksum then schema_migration_steps.steps_done else 0 end`;
  const [place] = await client<{ steps_done: number }[]>`select steps_done from schema_migration_steps where number = ${number}`;
  for (let done = place?.steps_done ?? 0; done < steps.length; done += 1) {
    await withLockTimeout(name, () => runStep(client, steps[done] as Step));
    await client`update schema_migration_steps set steps_done = ${done + 1} where number = ${number}`;
  }
  await client.begin(async (tx) => {
    await recordApplied(tx, migration);
    await tx`delete from schema_migration_steps where number = ${number}`;
  });
}

async function runStep(client: postgres.Sql, { text, repeats }: Step): Promise<void> {
  const index = /\bindex\s+concurrently\s+(?:if\s+not\s+exists\s+)?(\w+)/i.exec(text)?.[1];
  if (index !== undefined) await dropUnfinished(client, index);
  // An index that is built beside the writers holds nobody up while it waits for their transactions.
  await client`select set_config('lock_timeout', ${index === undefined ? "2s" : "0"}, false)`;
  for (;;) {
    const { count } = await client.unsafe(text);
    if (!repeats || !(count > 0)) return;
  }
}

/** A build that was cut off leaves an index that every write keeps up and no reader uses. */
async function dropUnfinished(client: postgres.Sql, index: string): Promise<void> {
  const [left] = await client`select 1 from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`;
  if (left !== undefined) await client.unsafe(`drop index concurrently if exists ${index}`);
}
