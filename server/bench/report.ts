import { cpus } from "node:os";
import type { Measured } from "./load.ts";
import type { Started } from "./measure-start.ts";

/** `calm` is the same work at a tenth of its rate. */
type Figure = Measured & { peakMb?: number; calm?: Measured };

/** One line of the report: what was measured, what it's compared with, and the target ratio, if there is one. */
export interface Row {
  name: string;
  measured: Figure;
  ceilings: [name: string, figure: Figure, aim: number | null][];
}

/** Prints the figures of all rows, and of the start where it was measured. */
export function report(rows: Row[], started: Started | null): void {
  process.stdout.write(`${table(rows)}\n${calmTable(rows)}${started === null ? "" : `\n${startLine(started)}\n`}`);
}

/** The figures as a Markdown table, each as a ratio to its ceilings of the same run. */
function table(rows: Row[]): string {
  const lines = rows.flatMap((row) => row.ceilings.map(([name, ceiling, aim]) => lineOf(row, { name, ceiling, aim })));
  const head =
    "| what | per second | p50 ms | p99 ms | peak MB | compared with | its per second | ratio | target |\n|---|---|---|---|---|---|---|---|---|";
  return `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown"}\n\n${head}\n${lines.join("\n")}`;
}

/** What a request takes while the server has a tenth of what it can carry. */
function calmTable(rows: Row[]): string {
  const lines = rows.flatMap(({ name, measured: { calm } }) =>
    calm === undefined ? [] : [`| ${name} | ${calm.perSecond} | ${calm.p50Ms} | ${calm.p99Ms} |`],
  );
  return lines.length === 0 ? "" : `\n| at a tenth of its rate | per second | p50 ms | p99 ms |\n|---|---|---|---|\n${lines.join("\n")}\n`;
}

function lineOf(row: Row, against: { name: string; ceiling: Figure; aim: number | null }): string {
  const { measured } = row;
  const ratio = measured.perSecond / against.ceiling.perSecond;
  const met = against.aim === null ? "" : `≥ ${against.aim.toFixed(2)} ${ratio >= against.aim ? "met" : "missed"}`;
  return `| ${[row.name, measured.perSecond, measured.p50Ms, measured.p99Ms, measured.peakMb ?? "", against.name, against.ceiling.perSecond, ratio.toFixed(2), met].join(" | ")} |`;
}

function startLine({ tookMs, idleMb }: Started): string {
  const verdict = (met: boolean) => (met ? "met" : "missed");
  return `Start on existing data: ${tookMs} ms (≤ 3000 ${verdict(tookMs <= 3000)}). Idle memory of the server process: ${idleMb} MB (≤ 150 ${verdict(idleMb <= 150)}).`;
}
