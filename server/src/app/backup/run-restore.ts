import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { counted } from "#platform/index.ts";
import type { Given } from "../command.ts";
import type { Settings } from "../config.ts";
import { openDataFolder, requireEmpty } from "../embedded/index.ts";
import { howToStart } from "../installed/how-to-run.ts";
import { openKeySource } from "../master-keys/index.ts";
import { type Identity, readIdentity } from "./archive/encrypt.ts";
import { fetchBackup } from "./archive/fetch-backup.ts";
import { findKept, keptOf } from "./archive/find-kept.ts";
import { bucketOf } from "./bucket/bucket-of.ts";
import { type Restored, restoreBackup } from "./restore-backup.ts";
import { verifyBackup } from "./verify-backup.ts";
import { fetchWal, type Until } from "./wal/index.ts";

export async function run(settings: Settings, { values, words }: Given): Promise<number> {
  const [named, ...others] = words;
  if (named === undefined || others.length > 0) throw new Error("Which backup? restore <folder of the backup> [--into <folder>]");
  const identity = typeof values["identity"] === "string" ? await readIdentity(resolve(values["identity"])) : null;
  const at = typeof values["at"] === "string" ? readUntil(values["at"]) : null;
  if (values["verify"] === true && values["into"] !== undefined)
    throw new Error("--verify restores into a separate folder and can't be used with --into.");
  const into = resolve(typeof values["into"] === "string" ? values["into"] : settings.TILLPOST_DATA_DIR);
  if (named.startsWith(inBucket) && values["verify"] !== true) await requireTarget(into, { identity, settings });
  const from = named.startsWith(inBucket) ? await fetched(settings, { name: named.slice(inBucket.length), at, identity }) : resolve(named);
  if (values["verify"] === true) return await verifyBackup({ from, identity, at, settings });
  const began = performance.now();
  const restored = await restoreBackup({ from, into, identity, settings, at });
  process.stdout.write(describe({ ...restored, at, into, settings, seconds: (performance.now() - began) / 1000 }));
  return 0;
}

const inBucket = "bucket:";

/** Creates the folder to restore into, and refuses one that can't be used before anything is fetched. */
async function requireTarget(into: string, given: { identity: Identity | null; settings: Settings }): Promise<void> {
  const dataFolder = openDataFolder(into);
  try {
    await requireEmpty(dataFolder, await findKept(into, keptOf({ from: null, ...given })));
  } finally {
    await dataFolder.release();
  }
}

interface Wanted {
  name: string;
  at: Until | null;
  identity: Identity | null;
}

async function fetched(settings: Settings, { name, at, identity }: Wanted): Promise<string> {
  const bucket = await bucketOf(settings);
  if (bucket === null)
    throw new Error("No bucket is set to fetch backups from: set BACKUP_S3_ENDPOINT and the other BACKUP_S3_… settings.");
  const where = { folder: settings.BACKUP_DIR, reserveBytes: settings.DISK_RESERVE_MB * 1_000_000 };
  const { path, aside } = await fetchBackup(bucket, { name, ...where });
  if (name === "latest") process.stdout.write(`The newest backup in the bucket ${bucket.name} is ${basename(path)}.\n`);
  if (aside !== null)
    process.stdout.write(`${path} was damaged, and was fetched from the bucket again. The damaged one is now ${aside}.\n`);
  if (at !== null) await fetchWal(bucket, { backup: path, until: at, identity, ...where });
  return path;
}

function readUntil(text: string): Until {
  if (text === "latest" || text === "gap") return text;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(Date.parse(text)))
    throw new Error(
      `--at takes a time with its time zone, such as 2026-11-23T14:05:00+08:00, "latest" or "gap", not ${JSON.stringify(text)}.`,
    );
  return new Date(text);
}

interface Described extends Restored {
  at: Until | null;
  into: string;
  settings: Settings;
  seconds: number;
}

function describe(described: Described): string {
  const { at, manifest, lastChange, damage, into, seconds } = described;
  const next = [
    ...describeKeys(described),
    `Stop every other Tillpost that uses a copy of this data: both would send the waiting messages.`,
    `What was revoked or removed after the backup is back, such as API keys, people and master keys. Revoke or remove it again.`,
    `Start: TILLPOST_DATA_DIR=${into} ${howToStart()}. Email and webhooks that were waiting are then sent.`,
    "Run `doctor --ledger --audit`.",
  ];
  return [
    `Restored into ${into} in ${seconds.toFixed(1)} s, as it was ${stateOf({ at, manifest, lastChange })}.`,
    ...(damage === null ? [] : [`The write-ahead log was only used up to this point: ${damage}`]),
    ...(described.anchorsFault === null ? [] : [`The audit log's anchors weren't completed: ${described.anchorsFault}`]),
    ...(manifest.uploads === "in this backup" ? [] : [`Uploaded files are in the bucket ${manifest.uploads.s3_bucket}, as before.`]),
    "",
    "Next steps:",
    ...next.map((line, index) => `  ${index + 1}. ${line}`),
    "",
  ].join("\n");
}

/** What to do about the master keys. A backup names all keys that its database ever had, the current one last. */
function describeKeys({ manifest: { master_keys: all }, lacking, into, settings }: Described): string[] {
  const { name, ownFile } = openKeySource({ ...settings, TILLPOST_DATA_DIR: into });
  const listed = (keys: typeof all) => keys.map(({ number, fingerprint }) => `${number} (${fingerprint})`).join(", ");
  if (ownFile !== null && !existsSync(ownFile))
    return [`Put the master keys into ${ownFile} with mode 0600: ${counted(all.length, "key")} with the fingerprint ${listed(all)}.`];
  if (lacking.length === 0) return [];
  const isNeeded = lacking.some(({ number }) => number === all.at(-1)?.number);
  return [
    isNeeded
      ? `Add the master keys that ${name} lacks: ${listed(lacking)}. Tillpost doesn't start without them.`
      : `If Tillpost reports at its start that a master key is missing, add it: ${name} lacks ${listed(lacking)}.`,
  ];
}

function stateOf({ at, manifest, lastChange }: Pick<Described, "at" | "manifest" | "lastChange">): string {
  if (at === null) return `when the backup ended, at ${manifest.finished_at}`;
  const last = lastChange === null ? null : `the last change in it is from ${lastChange.toISOString()}`;
  // PostgreSQL stops at the first change of a later time, which may be hours before others if the clock was ahead for a moment.
  if (at instanceof Date) return `at ${at.toISOString()}: ${last ?? "nothing was changed since the backup"}`;
  const end = at === "latest" ? "end of" : "first gap in";
  return `at the ${end} the write-ahead log that follows the backup: ${last ?? "nothing was changed in it"}`;
}
