import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { onServer } from "#test/support/database/postgres.ts";
import type { Known } from "./known.ts";

/** A database as one version of the program wrote it. */
export interface Written {
  known: Known;
  /** Schema and rows, as `pg_dump` writes them. */
  sql: string;
  /** The file store's contents in base64, by key. */
  files: Record<string, string>;
}

export function readWritten(file: URL): Written {
  return JSON.parse(gunzipSync(readFileSync(file)).toString()) as Written;
}

export function keepWritten(file: URL, written: Written): void {
  writeFileSync(file, gzipSync(JSON.stringify(written), { level: 9 }));
}

export async function restore(url: string, sql: string): Promise<void> {
  await onServer(url, (admin) => admin.query(sql).then(() => {}));
}
