import { readFileSync } from "node:fs";
import type { WirePdu } from "./pdus.ts";

/** What was sent over the connections to a carrier, one list for each connection. */
export type Transcript = WirePdu[][];

const marks = { true: ">", false: "<" } as const;

/** `>` is the carrier's, `<` ours; a separate line begins each connection. */
export function writeTranscript(source: string, connections: Transcript): string {
  const lines = connections.flatMap((pdus) => ["connection", ...pdus.map(({ fromCarrier, hex }) => `${marks[`${fromCarrier}`]} ${hex}`)]);
  return `${source
    .split("\n")
    .map((line) => `# ${line}`)
    .join("\n")}\n${lines.join("\n")}\n`;
}

export function readTranscript(file: string | URL): Transcript {
  const connections: Transcript = [];
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line === "connection") connections.push([]);
    else if (/^[<>] /.test(line)) connections.at(-1)?.push({ fromCarrier: line.startsWith(">"), hex: line.slice(2) });
  }
  return connections;
}
