import { join, relative } from "node:path";
import type { Settings } from "../config.ts";
import { howToRun } from "../installed/how-to-run.ts";
import type { ClosedDemo } from "./close-demo.ts";
import type { Demo } from "./demo-file.ts";

export interface Found {
  demo: { demo: Demo; isNew: boolean } | null;
  /** The demo that this start closed. */
  closed?: ClosedDemo | null;
  /** No one has an account yet. */
  isEmpty: boolean;
  /** Secrets are only shown on a terminal: any other output may be a log. */
  isTerminal: boolean;
}

/** The screen after a start: where things are and, the first time, how to create a first order or a first account. */
export function welcome(settings: Settings, { demo: found, closed = null, isEmpty, isTerminal }: Found): string {
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
  if (found?.isNew === true) lines.push(...firstSteps(base, { demo: found.demo, file, isTerminal }));
  else if (closed !== null) lines.push(...demoEnded(closed));
  else if (isEmpty) lines.push(...firstAccount());
  else if (found !== null) lines.push(`  Demo         account, project and TEST key are in ${file}`);
  lines.push("", "  Ctrl-C stops it; nothing is lost.", "", "");
  return lines.join("\n");
}

/** A server that others can reach has no demo. */
function firstAccount(): string[] {
  return [
    "",
    "  No one has an account yet. Create the first one, the operator's:",
    "",
    `    ${howToRun("admin create")} --email you@example.com`,
  ];
}

function demoEnded({ merchant_id }: ClosedDemo): string[] {
  const command = `    ${howToRun("admin create")} --email you@example.com`;
  return [
    "",
    "  Others can now reach this server, so the demo's account and TEST key have ended. Everything built with them is still there.",
    "  Create your own operator account; with --merchant, it owns the demo's business:",
    "",
    merchant_id === null ? command : `${command} --merchant ${merchant_id}`,
  ];
}

function firstSteps(base: string, { demo, file, isTerminal }: { demo: Demo; file: string; isTerminal: boolean }): string[] {
  const secret = (text: string) => (isTerminal ? text : `in ${file}`);
  return [
    "",
    `  Demo project ${demo.project_id}`,
    `  TEST key     ${secret(demo.api_key)}`,
    `  Sign in as   ${demo.email}`,
    `  Password     ${secret(demo.password)}`,
    ...(isTerminal ? [`               (also in ${file})`] : []),
    "",
    "  Create a first order:",
    "",
    `    curl ${base}/api/v1/projects/${demo.project_id}/orders \\`,
    `      -H "Authorization: Bearer ${isTerminal ? demo.api_key : "<api_key in that file>"}" \\`,
    '      -H "Content-Type: application/json" \\',
    `      -d '{"amount_minor": 8800, "currency": "CNY", "description": "Two pots of tea"}'`,
    "",
    "  The response has payment_link.url: open it in a browser and pay.",
  ];
}
