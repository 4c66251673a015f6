import type { Settings } from "../../config.ts";

/** Lines for people on a terminal, otherwise JSON, unless the settings decide. */
export function logOptions(settings: Settings): { level: string; pretty: boolean } {
  return { level: settings.LOG_LEVEL, pretty: settings.LOG_PRETTY ?? process.stdout.isTTY === true };
}
