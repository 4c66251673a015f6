import { existsSync, readdirSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { type Ctx, counted, databaseCode, isLoopbackUrl, isUnavailable, open, seal } from "#platform/index.ts";
import type { Settings } from "../config.ts";
import { howToRun } from "../installed/how-to-run.ts";
import {
  adoptKeyState,
  findKeyFaults,
  type KeyCtx,
  listUnfinished,
  openKeySource,
  readKeyState,
  restoreKeys,
} from "../master-keys/index.ts";
import { pendingMigrations } from "../migrations.ts";
import { findDatabaseFacts } from "../sql.ts";

/** The result of one check. A note is worth knowing, but isn't a fault. */
export interface Finding {
  check: string;
  state: "fine" | "note" | "fault";
  message: string;
  fix?: string;
}

const oldestVersion = 150_000;
const scarceBytes = 2_000_000_000;
const tooLittleBytes = 200_000_000;
const clockLimitMs = 2_000;
const networkLimitMs = 3_000;

export async function checkDatabase(ctx: Ctx): Promise<Finding[]> {
  try {
    const facts = await findDatabaseFacts(ctx.db);
    const pending = await pendingMigrations(ctx.db);
    const findings: Finding[] = [
      { check: "database", state: "fine", message: `PostgreSQL ${Math.floor(facts.version / 10_000)}.${facts.version % 10_000} responds` },
    ];
    if (facts.version < oldestVersion)
      findings.push({
        check: "database",
        state: "fault",
        message: "PostgreSQL is older than 15",
        fix: "Upgrade to PostgreSQL 15 or newer.",
      });
    if (!facts.is_durable)
      findings.push({
        check: "database",
        state: "fault",
        message: "a commit may be lost in a crash",
        fix: "Set fsync = on and synchronous_commit = on on the server.",
      });
    if (facts.encoding !== "UTF8")
      findings.push({
        check: "database",
        state: "fault",
        message: `its encoding is ${facts.encoding}`,
        fix: "Create the database with encoding UTF8.",
      });
    if (pending.length > 0)
      findings.push({
        check: "database",
        state: "fault",
        message: `${counted(pending.length, "migration")} not applied yet`,
        fix: `Run \`${howToRun("migrate")}\`.`,
      });
    return [...findings, clockFinding("the database's clock", facts.now)];
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return [
      {
        check: "database",
        state: "fault",
        message: (error as Error).message,
        fix: "Check DATABASE_URL, and that the server is running and accepts this host.",
      },
    ];
  }
}

export async function checkDisk(settings: Settings): Promise<Finding> {
  const { bavail, bsize } = await statfs(settings.TILLPOST_DATA_DIR);
  const free = bavail * bsize;
  const message = `${(free / 1e9).toFixed(1)} GB free for ${settings.TILLPOST_DATA_DIR}`;
  const state = free < tooLittleBytes ? "fault" : free < scarceBytes ? "note" : "fine";
  return state === "fine"
    ? { check: "disk", state, message }
    : { check: "disk", state, message, fix: "Free some space, or move TILLPOST_DATA_DIR to a larger disk." };
}

/**
 * The master keys must be those that sealed the database's secrets. If they are, the following checks use them in the roles that the
 * database gives them.
 */
export async function checkMasterKeys(ctx: Pick<KeyCtx, "db" | "masterKeys">): Promise<Finding[]> {
  const faults = await findKeyFaults(ctx).catch((error: unknown) => {
    // A database that is unavailable or not migrated yet is reported by its own check.
    if (isUnavailable(error) || ["42P01", "42703"].includes(databaseCode(error) ?? "")) return null;
    throw error;
  });
  if (faults === null) return [];
  if (faults.length === 0) {
    adoptKeyState(ctx.masterKeys, await readKeyState(ctx.db));
    const findings: Finding[] = [{ check: "secrets", state: "fine", message: "the master keys are those of this database" }];
    const unfinished = await listUnfinished(ctx);
    if (unfinished.length === 0) return findings;
    const message = `secrets are still encrypted with master key ${unfinished.join(", ")}, but ${ctx.masterKeys.current} is current`;
    return [...findings, { check: "secrets", state: "note", message, fix: `Run \`${howToRun("master-keys rotate")}\`.` }];
  }
  const fix = restoreKeys;
  return faults.map((message) => ({ check: "secrets", state: "fault", message, fix }));
}

/** Secrets must open what they seal, and no file with one may be readable by others. */
export function checkSecrets(settings: Settings, ctx: Ctx): Finding[] {
  const place = { table: "doctor", column: "probe", row: "1" };
  const opens = open(ctx.masterKeys, place, seal(ctx.masterKeys, place, "probe")).toString() === "probe";
  const findings: Finding[] = [
    { check: "secrets", state: opens ? "fine" : "fault", message: `master key ${ctx.masterKeys.current} encrypts and decrypts` },
  ];
  if (openKeySource(settings).ownFile !== null && settings.DATABASE_URL === null) {
    findings.push({
      check: "secrets",
      state: "note",
      message: "the master key is in the data folder",
      fix: "Keep a copy of `master-keys` separate from backups of the database: without it, encrypted secrets are lost.",
    });
  }
  findings.push(...checkKeysFile(settings.MASTER_KEYS_FILE));
  const folder = settings.TILLPOST_DATA_DIR;
  const private_ = new Set(["master-keys", "postgres.json", "demo.json", "running.json", "lock"]);
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    // Others may be removed at this moment.
    if (!private_.has(name)) continue;
    const mode = (statSync(join(folder, name), { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
    if ((mode & 0o077) !== 0)
      findings.push({
        check: "secrets",
        state: "fault",
        message: `${name} can be read by others (mode ${mode.toString(8)})`,
        fix: `chmod 600 ${join(folder, name)}`,
      });
  }
  return findings;
}

/**
 * Anyone who can read the keys can read every secret of a copied database. In a container, a mounted secret may be readable by all of its
 * users.
 */
function checkKeysFile(path: string | null): Finding[] {
  const mode = path === null ? 0 : statSync(path).mode & 0o777;
  if (path === null || (mode & 0o077) === 0) return [];
  return [
    {
      check: "secrets",
      state: "note",
      message: `MASTER_KEYS_FILE can be read by others (mode ${mode.toString(8)})`,
      fix: `chmod 600 ${path}`,
    },
  ];
}

/**
 * Personal codes need no network, but webhooks, gateways and email do. Only the configured host is requested. Its response also shows how
 * far off this machine's clock is.
 */
export async function checkEgress({ DOCTOR_HTTPS_HOST: host }: Pick<Settings, "DOCTOR_HTTPS_HOST">): Promise<Finding[]> {
  if (host === null) {
    const fix = "To check it, set DOCTOR_HTTPS_HOST to a host that this machine can reach.";
    return [{ check: "egress", state: "note", message: "network access wasn't checked", fix }];
  }
  try {
    const answer = await fetch(`https://${host}/`, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(networkLimitMs) });
    const date = answer.headers.get("date");
    const findings: Finding[] = [{ check: "egress", state: "fine", message: `https reaches ${host}` }];
    return date === null ? findings : [...findings, clockFinding("the clock of the network", new Date(date), clockLimitMs + 1_000)];
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String((error as Error).message);
    return [
      {
        check: "egress",
        state: "note",
        message: `https doesn't reach ${host} (${reason})`,
        fix: "Personal receiving codes work without it. For gateways, webhooks and email, allow this host to connect to port 443.",
      },
    ];
  }
}

function clockFinding(whose: string, theirs: Date, limitMs = clockLimitMs): Finding {
  const differenceMs = Math.abs(Date.now() - theirs.getTime());
  if (differenceMs <= limitMs) return { check: "clock", state: "fine", message: `agrees with ${whose}` };
  return {
    check: "clock",
    state: "fault",
    message: `${(differenceMs / 1000).toFixed(1)} s off from ${whose}`,
    fix: "Turn on time synchronization (chrony or systemd-timesyncd) on both machines.",
  };
}

/** Behind an untrusted proxy, all callers share one address for limits, audit entries and sign-ins. */
export function checkProxies(settings: Pick<Settings, "PUBLIC_URL" | "HOST" | "TRUSTED_PROXIES">): Finding[] {
  if (isLoopbackUrl(settings.PUBLIC_URL) || settings.TRUSTED_PROXIES.length > 0) return [];
  const listensHere = ["localhost", "127.0.0.1", "::1"].includes(settings.HOST);
  if (!listensHere && !settings.PUBLIC_URL.startsWith("https:")) return [];
  return [
    {
      check: "server",
      state: "note",
      message: "a proxy is in front of this server, but TRUSTED_PROXIES is empty: all callers look like the proxy and share one limit",
      fix: listensHere
        ? "Set TRUSTED_PROXIES to 127.0.0.1,::1, where the proxy's connections come from."
        : "Set TRUSTED_PROXIES to the address that the proxy's connections come from. In a container, that is the gateway of its network, even if the proxy is on the same machine.",
    },
  ];
}

/** Over http, browsers accept a session's cookie only from this machine. */
export function checkHttps({ PUBLIC_URL }: Pick<Settings, "PUBLIC_URL">): Finding[] {
  if (isLoopbackUrl(PUBLIC_URL) || PUBLIC_URL.startsWith("https:")) return [];
  return [
    {
      check: "server",
      state: "note",
      message: "PUBLIC_URL is an http address: browsers don't keep sessions there, so no one can sign in to the dashboard",
      fix: "Put a TLS proxy in front, and set PUBLIC_URL to its https address.",
    },
  ];
}
