import { readdir, readFile } from "node:fs/promises";
import postgres from "postgres";
import { connectionOf } from "./database-url.ts";

/** Applies the numbered files of `folder` that the database does not have yet; answers their names. Safe to run from many processes at once. */
export async function migrate(url: string, folder: URL): Promise<string[]> {
  const [address, socket] = connectionOf(url);
  const client = postgres(address, { ...socket, max: 1, onnotice: () => {}, connection: { application_name: "tillpost-migrate" } });
  try {
    const files = (await readdir(folder)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
    // Where nothing is to do nothing is written: a database may take no writes just now.
    const known = await listKnown(client);
    if (files.every((name) => known.has(Number(name.slice(0, 4))))) return [];
    await client`create table if not exists schema_migrations (number int primary key, name text not null, applied_at timestamptz not null default now())`.catch(
      ignoreRace,
    );
    const applied: string[] = [];
    const [doubled] = files.filter((name, index) => name.slice(0, 4) === files[index + 1]?.slice(0, 4));
    if (doubled !== undefined) throw new Error(`two migrations have the number of ${doubled}; one of them would never be applied`);
    for (const name of files) {
      if (await applyOne(client, name, await readFile(new URL(name, folder), "utf8"))) applied.push(name);
    }
    return applied;
  } finally {
    await client.end({ timeout: 5 });
  }
}

async function listKnown(client: postgres.Sql): Promise<Set<number>> {
  const rows = await client<{ number: number }[]>`select number from schema_migrations`.catch((error: { code?: string }) => {
    if (error.code === "42P01") return [];
    throw error;
  });
  return new Set(rows.map(({ number }) => number));
}

/** The number is written first: a second migrator waits on it and then finds the work done. */
function applyOne(client: postgres.Sql, name: string, text: string): Promise<boolean> {
  const number = Number(name.slice(0, 4));
  return client.begin(async (tx) => {
    const claimed = await tx`insert into schema_migrations (number, name) values (${number}, ${name}) on conflict do nothing`;
    if (claimed.count === 0) return false;
    await tx.unsafe(text).simple();
    return true;
  }) as Promise<boolean>;
}

/** `create table if not exists` can lose a race against itself with a unique violation in the catalogue. */
function ignoreRace(error: unknown): void {
  if ((error as { code?: string }).code !== "23505" && (error as { code?: string }).code !== "42P07") throw error;
}
