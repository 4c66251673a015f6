import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type MasterKeys, readMasterKeys } from "#platform/index.ts";
import type { Settings } from "../config.ts";
import { outputOf } from "./run-key-command.ts";

/** Where a process gets its master keys from, at the start and while it runs. */
export interface KeySource {
  /** The name that operators know. */
  name: string;
  /** Throws a readable error that reveals nothing of what was read. */
  read(): Promise<MasterKeys>;
  /** Whether it's worth reading again. `lacks`: the database has a key that the last reading didn't return. */
  isStale(isMissing: boolean): boolean;
  /** The file of the data folder, which `master-keys add` writes; null for keys that operators store themselves. */
  ownFile: string | null;
}

/** The data folder's own file. */
const ownFileName = "master-keys";
/** A command may query a service over the network. */
const commandRestMs = 30_000;

/** Opens the configured source of the keys. A command is run again after `restMs` at the earliest. */
export function openKeySource(
  settings: Pick<Settings, "MASTER_KEYS" | "MASTER_KEYS_FILE" | "MASTER_KEYS_COMMAND" | "TILLPOST_DATA_DIR">,
  restMs: number = commandRestMs,
): KeySource {
  const { MASTER_KEYS: text, MASTER_KEYS_FILE: file, MASTER_KEYS_COMMAND: command } = settings;
  if (text !== null) return { name: "MASTER_KEYS", read: async () => readMasterKeys(text), isStale: () => false, ownFile: null };
  if (file !== null) return fileSource(file, { name: `MASTER_KEYS_FILE (${file})`, ownFile: null });
  if (command !== null) return commandSource(command, restMs);
  const own = join(settings.TILLPOST_DATA_DIR, ownFileName);
  return fileSource(own, { name: own, ownFile: own });
}

function fileSource(path: string, given: Pick<KeySource, "name" | "ownFile">): KeySource {
  let seen = "";
  return {
    ...given,
    async read() {
      return readOrExplain(given.name, async () => {
        seen = stampOf(path);
        return readFileSync(path, "utf8");
      });
    },
    isStale: () => stampOf(path) !== seen,
  };
}

function commandSource(command: string, restMs: number): KeySource {
  let ranAt = 0;
  return {
    name: "the output of MASTER_KEYS_COMMAND",
    read() {
      ranAt = performance.now();
      return readOrExplain("MASTER_KEYS_COMMAND", () => outputOf(command));
    },
    isStale: (isMissing) => isMissing && performance.now() - ranAt >= restMs,
    ownFile: null,
  };
}

async function readOrExplain(name: string, read: () => Promise<string>): Promise<MasterKeys> {
  try {
    return readMasterKeys(await read());
  } catch (error) {
    throw new Error(`${name} can't be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Changes with the file and its permissions, also if a link now points to another file. Empty if there isn't one. */
function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
}
