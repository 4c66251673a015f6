import { createHash, type Hash } from "node:crypto";
import { Transform, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { CopySession } from "./session.ts";
import { type CopyTable, listSequences } from "./sql.ts";

/** The contents of one table: two tables with the same digest have the same rows in the same order. */
export interface TableDigest {
  table: string;
  rows: number;
  sha256: string;
}

export interface CopyOptions {
  tables: readonly CopyTable[];
  /** Called as bytes are copied, and once more with the number of rows when a table is done. */
  onProgress?(progress: CopyProgress): void;
  signal?: AbortSignal;
}

export interface CopyProgress {
  table: CopyTable;
  /** Bytes of this table copied so far. */
  bytes: number;
  /** Null while the table is being copied. */
  rows: number | null;
}

const named = (name: string) => `"${name.replaceAll('"', '""')}"`;
const listed = ({ name, columns }: CopyTable) => (columns.length === 0 ? named(name) : `${named(name)} (${columns.map(named).join(", ")})`);
const outOf = (table: CopyTable) => `copy ${listed(table)} to stdout (format binary)`;

/**
 * Begins a read-only transaction that sees one snapshot until the connection ends, and reads every table from its first row, so that two
 * reads return the same rows in the same order.
 */
export async function beginSnapshot(session: CopySession): Promise<void> {
  await session.script("begin isolation level repeatable read read only; set local synchronize_seqscans = off");
}

/**
 * Replaces the rows of `to` with those of `from`, in one transaction of a superuser: all or nothing. Both must have the same tables with
 * the same columns. Triggers and foreign keys are off, because the rows satisfied them at the source; checks and unique keys are on.
 * Sequences that both have continue from their value.
 */
export async function copyTables(from: CopySession, to: CopySession, options: CopyOptions): Promise<TableDigest[]> {
  const digests: TableDigest[] = [];
  await to.script("begin; set local session_replication_role = replica");
  if (options.tables.length > 0) await to.script(`truncate ${options.tables.map(({ name }) => named(name)).join(", ")}`);
  for (const table of options.tables) {
    const meter = meterOf(table, options);
    // Rows of a table that was truncated in the same transaction need no write-ahead log, and are frozen right away.
    const into = to.into(`copy ${listed(table)} from stdin (format binary, freeze)`);
    await pipeline([from.out(outOf(table)), meter.stream, into], options.signal === undefined ? {} : { signal: options.signal });
    digests.push(meter.done(into.rowCount));
  }
  await copySequences(from, to);
  await to.script("commit");
  return digests;
}

/** Reads tables and returns their contents' digests. Call `beginSnapshot` before. */
export async function digestTables(session: CopySession, options: CopyOptions): Promise<TableDigest[]> {
  const digests: TableDigest[] = [];
  for (const table of options.tables) {
    const meter = meterOf(table, options);
    const out = session.out(outOf(table));
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
    await pipeline([out, meter.stream, nowhere], options.signal === undefined ? {} : { signal: options.signal });
    // The row count arrives after the last row.
    await session.script("select");
    digests.push(meter.done(out.rowCount));
  }
  return digests;
}

async function copySequences(from: CopySession, to: CopySession): Promise<void> {
  const there = new Set(await listSequences(to.db));
  for (const name of (await listSequences(from.db)).filter((one) => there.has(one))) {
    const [state] = await from.rows<{ last_value: string; is_called: boolean }>(`select last_value::text, is_called from ${named(name)}`);
    if (state === undefined) throw new Error(`The sequence ${name} has no state.`);
    await to.script(`select setval('${named(name).replaceAll("'", "''")}', ${state.last_value}, ${state.is_called})`);
  }
}

interface Meter {
  stream: Transform;
  done(rows: number): TableDigest;
}

function meterOf(table: CopyTable, { onProgress }: CopyOptions): Meter {
  const hash: Hash = createHash("sha256");
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      onProgress?.({ table, bytes, rows: null });
      done(null, chunk);
    },
  });
  return {
    stream,
    done(rows) {
      onProgress?.({ table, bytes, rows });
      return { table: table.name, rows, sha256: hash.digest("hex") };
    },
  };
}
