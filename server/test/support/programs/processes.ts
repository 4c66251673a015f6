import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface RunningProcess {
  pid: number;
  command: string;
}

/** Every process whose command line or environment contains one of these folders; none if the system has no /proc. */
export function processesIn(...folders: string[]): RunningProcess[] {
  return listPids()
    .filter((pid) => pid !== process.pid)
    .flatMap((pid) => {
      const [command, environment] = [read(pid, "cmdline"), read(pid, "environ")];
      return folders.some((folder) => `${command}\0${environment}`.includes(folder))
        ? [{ pid, command: command.replaceAll("\0", " ").trim() }]
        : [];
    });
}

/** Folders that databases under this one have made elsewhere, because they couldn't run here. */
export function foldersElsewhere(folder: string): string[] {
  const remembered = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith("postgres.json"));
  return remembered.flatMap((file) => (JSON.parse(readFileSync(join(folder, file), "utf8")) as { folder: string | null }).folder ?? []);
}

function listPids(): number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** Null for processes that have ended since then, or belong to another user. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
