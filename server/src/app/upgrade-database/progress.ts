import { type CopyProgress, type CopyTable, counted } from "#platform/index.ts";
import { megabytes } from "./room.ts";

const everyMs = 5_000;

/** Reports now and then how far a copy is: rows and bytes copied, and what is left. */
export function createProgress(tables: readonly CopyTable[], say: (line: string) => void): (progress: CopyProgress) => void {
  const total = sum(tables);
  let [done, rows, bytes, reportedAt] = [0, 0, 0, performance.now()];
  return (progress) => {
    if (progress.rows !== null) {
      done += 1;
      rows += progress.rows;
      bytes += progress.table.bytes;
    }
    const now = performance.now();
    if (now - reportedAt < everyMs || done === tables.length) return;
    reportedAt = now;
    const at =
      progress.rows === null
        ? `, now ${progress.table.name} (${megabytes(Math.min(progress.bytes, progress.table.bytes))} of ${megabytes(progress.table.bytes)})`
        : "";
    say(
      `  ${done} of ${counted(tables.length, "table")}, ${counted(rows, "row")}, ${megabytes(total - bytes)} of ${megabytes(total)} left${at}`,
    );
  };
}

/** The disk space of tables. */
export function sum(tables: readonly CopyTable[]): number {
  return tables.reduce((bytes, table) => bytes + table.bytes, 0);
}
