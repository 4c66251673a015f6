import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Tenant } from "#platform/index.ts";
import { postgresPrograms } from "../test/support/debian/debian-programs.ts";
import { temporaryFolder } from "../test/support/programs/program.ts";
import { writeOrderScript } from "./ceilings.sql.ts";
import type { Measured } from "./load.ts";

interface Given {
  url: string;
  tenant: Tenant;
  clients: number;
  seconds: number;
}

/**
 * What PostgreSQL's own load generator writes a second where each transaction is one statement: an order, its link, its event and its
 * idempotency key. Null where it is not installed.
 */
export async function measurePgbench({ url, tenant, clients, seconds }: Given): Promise<Measured | null> {
  if (!existsSync("/usr/lib/postgresql")) return null;
  const folder = temporaryFolder();
  const script = join(folder.path, "order.sql");
  writeFileSync(script, writeOrderScript(tenant));
  try {
    const load = ["-n", "-M", "prepared", "-c", String(clients), "-j", "2", "-T", String(seconds), "-f", script];
    const { stdout } = await promisify(execFile)(join(postgresPrograms(), "pgbench"), [...load, url]);
    return {
      requests: numberIn(stdout, /transactions actually processed: (\d+)/),
      perSecond: Math.round(numberIn(stdout, /tps = ([\d.]+)/)),
      p50Ms: 0,
      p99Ms: 0,
      failed: 0,
    };
  } finally {
    folder.remove();
  }
}

function numberIn(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`pgbench didn't print ${pattern.source}:\n${text}`);
  return Number(found);
}
