import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { counted } from "#platform/index.ts";
import type { Given } from "../command.ts";
import type { Settings } from "../config.ts";
import { howToStart } from "../installed/how-to-run.ts";
import { openKeySource } from "../master-keys/index.ts";
import { readIdentity } from "./archive/encrypt.ts";
import { fetchBackup } from "./archive/fetch-backup.ts";
import type { Manifest } from "./archive/manifest.ts";
import { bucketOf } from "./bucket/bucket-of.ts";
import { restoreBackup } from "./restore-backup.ts";
import { verifyBackup } from "./verify-backup.ts";
import { fetchWal } from "./wal/index.ts";

export async function run(settings: Settings, { values, words }: Given): Promise<number> {
  const [named, ...others] = words;
  if (named === undefined || others.length > 0) throw new Error("Which backup? restore <folder of the backup> [--into <folder>]");
  const identity = typeof values["identity"] === "string" ? await readIdentity(resolve(values["identity"])) : null;
  const at = typeof values["at"] === "string" ? readInstant(values["at"]) : null;
  if (values["verify"] === true && values["into"] !== undefined)
    throw new Error("--verify restores into a separate folder and can't be used with --into.");
  const from = named.startsWith(inBucket) ? await fetched(settings, named.slice(inBucket.length), at !== null) : resolve(named);
  if (values["verify"] === true) return await verifyBackup({ from, identity, at, settings });
  const into = resolve(typeof values["into"] === "string" ? values["into"] : settings.TILLPOST_DATA_DIR);
  const began = performance.now();
  const manifest = await restoreBackup({ from, into, identity, settings, at });
  process.stdout.write(
    describe({
      state:
        at === null
          ? `when the backup ended, at ${manifest.finished_at}`
          : at === "latest"
            ? "at the end of the write-ahead log next to it"
            : `at ${at.toISOString()}`,
      manifest,
      into,
      settings,
      seconds: (performance.now() - began) / 1000,
    }),
  );
  return 0;
}

const inBucket = "bucket:";

async function fetched(settings: Settings, name: string, withWal: boolean): Promise<string> {
  const bucket = await bucketOf(settings);
  if (bucket === null)
    throw new Error("No bucket is set to fetch backups from: set BACKUP_S3_ENDPOINT and the other BACKUP_S3_… settings.");
  const where = { folder: settings.BACKUP_DIR, reserveBytes: settings.DISK_RESERVE_MB * 1_000_000 };
  const backup = await fetchBackup(bucket, { name, ...where });
  if (withWal) await fetchWal(bucket, { backup, ...where });
  return backup;
}

function readInstant(text: string): Date | "latest" {
  if (text === "latest") return text;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(Date.parse(text)))
    throw new Error(`--at takes a time with its time zone, such as 2026-11-23T14:05:00+08:00, or "latest", not ${JSON.stringify(text)}.`);
  return new Date(text);
}

interface Restored {
  state: string;
  manifest: Manifest;
  into: string;
  settings: Settings;
  seconds: number;
}

function describe({ state, manifest, into, settings, seconds }: Restored): string {
  const keys = join(into, "master-keys");
  const fingerprints = manifest.master_keys.map(({ number, fingerprint }) => `${number} (${fingerprint})`).join(", ");
  const next = [
    ...(openKeySource(settings).ownFile !== null && !existsSync(keys)
      ? [
          `Put the master keys into ${keys} with mode 0600: ${counted(manifest.master_keys.length, "key")} with the fingerprint ${fingerprints}.`,
        ]
      : []),
    `Stop every other Tillpost that uses a copy of this data: both would send the waiting messages.`,
    `Start: TILLPOST_DATA_DIR=${into} ${howToStart()}. Email and webhooks that were waiting are then sent.`,
    `Run \`doctor --ledger --audit\`. If it finds audit anchors that are newer than the backup, give the reason: --begin-anchors "<why>".`,
  ];
  return [
    `Restored into ${into} in ${seconds.toFixed(1)} s, as it was ${state}.`,
    ...(manifest.uploads === "in this backup" ? [] : [`Uploaded files are in the bucket ${manifest.uploads.s3_bucket}, as before.`]),
    "",
    "Next steps:",
    ...next.map((line, index) => `  ${index + 1}. ${line}`),
    "",
  ].join("\n");
}
