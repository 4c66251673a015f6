import { join, relative } from "node:path";
import type { Settings } from "../config.ts";
import type { Demo } from "./prepare-demo.ts";

/** The screen after a start: where things are and, the first time, how to make a first order. */
export function welcome(settings: Settings, found: { demo: Demo; isNew: boolean } | null): string {
  const base = settings.PUBLIC_URL;
  const folder = relative(process.cwd(), settings.TILLPOST_DATA_DIR);
  const data = folder === "" || folder.startsWith("..") ? settings.TILLPOST_DATA_DIR : folder;
  const lines = [
    "",
    "  Tillpost is running.",
    "",
    `  Dashboard    ${base}/dashboard`,
    `  API          ${base}/api/v1`,
    `  Reference    ${base}/reference`,
    `  Data         ${settings.DATABASE_URL === null ? data : `your database; files in ${data}`}`,
  ];
  const file = join(data, "demo.json");
  if (found?.isNew === true) lines.push(...firstSteps(base, found.demo, file));
  else if (found !== null) lines.push(`  Demo         account, project and TEST key are in ${file}`);
  lines.push("", "  Ctrl-C stops it; nothing is lost.", "", "");
  return lines.join("\n");
}

function firstSteps(base: string, demo: Demo, file: string): string[] {
  return [
    "",
    `  Demo project ${demo.project_id}`,
    `  TEST key     ${demo.api_key}`,
    `  Sign in as   ${demo.email}`,
    `  Password     ${demo.password}`,
    `               (all of it is kept in ${file})`,
    "",
    "  Make a first order:",
    "",
    `    curl ${base}/api/v1/projects/${demo.project_id}/orders \\`,
    `      -H "Authorization: Bearer ${demo.api_key}" \\`,
    '      -H "Content-Type: application/json" \\',
    `      -d '{"amount_minor": 8800, "currency": "CNY", "description": "Two pots of tea"}'`,
    "",
    "  Its answer holds payment_link.url: open that in a browser and pay.",
  ];
}
