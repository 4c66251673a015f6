import { databaseCode, isUnavailable } from "#platform/index.ts";
import { SettingsError } from "./config.ts";
import { FolderInUse } from "./embedded/index.ts";

const refusedAtTheDoor = ["28P01", "28000", "3D000"];

/** What a person at the terminal is told: faults that they can mend are sentences, everything else keeps its stack. */
export function explainFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isUnavailable(error) || refusedAtTheDoor.includes(databaseCode(error) ?? "")) {
    return `The database does not let us in: ${error.message}. Check DATABASE_URL, and that the server runs and accepts this host.`;
  }
  const isSentence = error instanceof SettingsError || error instanceof FolderInUse || (error.constructor === Error && !("code" in error));
  return isSentence ? error.message : (error.stack ?? error.message);
}
