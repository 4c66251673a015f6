import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../config.ts";

/** The content of `demo.json`. */
export interface Demo {
  base_url: string;
  project_id: string;
  api_key: string;
  /** Signs in to the dashboard as the operator of this installation and the owner of the demo merchant. */
  email: string;
  password: string;
}

/** The file with a demo's secrets. */
export const demoFile = (settings: Pick<Settings, "TILLPOST_DATA_DIR">): string => join(settings.TILLPOST_DATA_DIR, "demo.json");

/** The demo of this data folder, or null. */
export function readDemo(settings: Pick<Settings, "TILLPOST_DATA_DIR">): Demo | null {
  const file = demoFile(settings);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Demo) : null;
}
