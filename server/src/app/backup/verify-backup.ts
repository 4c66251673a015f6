import { existsSync } from "node:fs";
import { realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Settings } from "../config.ts";
import { auditAuditLog, auditMoney, chainWaiting } from "../doctor/audits.ts";
import type { Finding } from "../doctor/checks.ts";
import { lineOf } from "../doctor/line-of.ts";
import { discardData, finishRestore, openDataFolder } from "../embedded/index.ts";
import { adoptKeyState, findKeyFaults, openKeySource, openOneOfEach, readKeyState } from "../master-keys/index.ts";
import { bringUpToDate } from "../migrations.ts";
import { anchorFile, createRuntime, makeLog, type Runtime } from "../runtime/index.ts";
import type { Identity } from "./archive/encrypt.ts";
import { findKept, keptOf } from "./archive/find-kept.ts";
import type { Manifest } from "./archive/manifest.ts";
import { megabytes } from "./archive/megabytes.ts";
import { restoreBackup } from "./restore-backup.ts";
import { writeBackupState } from "./state/backup-state.ts";
import type { Until } from "./wal/index.ts";

export interface Verifying {
  from: string;
  identity: Identity | null;
  /** As for a restore. */
  at: Until | null;
  settings: Settings;
}

/**
 * Restores a backup into a separate folder, starts that database where only this process reaches it, and audits it. No background work
 * runs, so nothing is sent. The folder is removed at the end; one left by a killed run is removed first. Returns the exit code.
 */
export async function verifyBackup({ from, identity, at: until, settings }: Verifying): Promise<number> {
  const into = join(settings.TILLPOST_DATA_DIR, "verify");
  const keyed = withKeys(settings);
  const began = performance.now();
  await refuseKeptInside(into, keptOf({ from, identity, settings }));
  await discard(into);
  try {
    const { manifest, damage, anchorsFault } = await restoreBackup({ from, into, identity, at: until, settings: keyed, beside: true });
    const restored = performance.now();
    const { findings, at } = await examine({ ...keyed, DATABASE_URL: null, DATABASE_OWNER_URL: null, TILLPOST_DATA_DIR: into }, until);
    const notes = [damage, anchorsFault].flatMap((message): Finding[] =>
      message === null ? [] : [{ check: "backup", state: "note", message }],
    );
    process.stdout.write([...notes, ...findings].map(lineOf).join(""));
    const isGood = findings.every(({ state }) => state !== "fault");
    process.stdout.write(
      `\n${isGood ? "This backup restores." : "This backup is NOT good."} ${timesOf(manifest, { restoreMs: restored - began, auditMs: performance.now() - restored })}\n`,
    );
    if (isGood) await writeBackupState(settings.TILLPOST_DATA_DIR, { verified: { at, path: from } });
    return isGood ? 0 : 1;
  } finally {
    await discard(into);
    await rm(into, { recursive: true, force: true });
  }
}

/** Settings with which the restored folder uses this installation's keys. */
function withKeys(settings: Settings): Settings {
  const { ownFile } = openKeySource(settings);
  if (ownFile === null) return settings;
  if (existsSync(ownFile)) return { ...settings, MASTER_KEYS_FILE: ownFile };
  throw new Error(
    `There is no ${ownFile}. Without the master keys, it's unknown whether the encrypted secrets can be read. Put the file there, or set MASTER_KEYS.`,
  );
}

/** The folder is removed with everything in it. */
async function refuseKeptInside(into: string, paths: string[]): Promise<void> {
  const folder = await realpath(into).catch(() => into);
  const inside = (await findKept(folder, paths)).find((path) => `${path}/`.startsWith(`${folder}/`));
  if (inside !== undefined)
    throw new Error(`--verify restores into ${folder} and removes it, but ${inside} is in it. Move that to another folder first.`);
}

async function discard(folder: string): Promise<void> {
  const dataFolder = openDataFolder(folder);
  try {
    await discardData(dataFolder, []);
    await finishRestore(dataFolder);
  } finally {
    await dataFolder.release();
  }
}

async function examine(settings: Settings, until: Verifying["at"]): Promise<{ findings: Finding[]; at: string }> {
  const runtime = await createRuntime(settings, { log: makeLog({ level: "error", pretty: true }) });
  try {
    await bringUpToDate(runtime);
    await runtime.clock.follow();
    adoptKeyState(runtime.ctx.masterKeys, await readKeyState(runtime.ctx.db));
    await chainWaiting(runtime.ctx);
    const findings = [
      ...(await examineKeys(runtime)),
      ...(await auditMoney(runtime.ctx)),
      ...(await auditAuditLog(runtime.ctx, { ...anchorFile(settings.TILLPOST_DATA_DIR), endEarlier: until !== null })),
    ];
    return { findings, at: runtime.ctx.now().toISOString() };
  } finally {
    await runtime.close();
  }
}

async function examineKeys({ ctx }: Runtime): Promise<Finding[]> {
  const faults: Finding[] = (await findKeyFaults(ctx)).map((message) => ({ check: "secrets", state: "fault", message }));
  const { opened, closed } = await openOneOfEach(ctx);
  if (closed.length > 0) faults.push({ check: "secrets", state: "fault", message: `the master keys don't decrypt ${closed.join(", ")}` });
  if (faults.length > 0) return faults;
  const message = opened.length === 0 ? "it has no encrypted secrets" : `the master keys decrypt ${opened.join(", ")}`;
  return [{ check: "secrets", state: "fine", message }];
}

function timesOf({ files }: Manifest, { restoreMs, auditMs }: { restoreMs: number; auditMs: number }): string {
  const bytes = files.reduce((sum, { holds_bytes }) => sum + holds_bytes, 0);
  const minutes = (ms: number) => (ms / 60_000 / (bytes / 1e9)).toFixed(2);
  const seconds = ((restoreMs + auditMs) / 1000).toFixed(1);
  return `It contains ${megabytes(bytes)}; verifying it took ${seconds} s: restoring ${minutes(restoreMs)} minutes per GB, starting and auditing ${minutes(auditMs)}.`;
}
