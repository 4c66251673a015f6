import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Given } from "../command.ts";
import type { Settings } from "../config.ts";
import { makeLog, openHouse } from "../house/index.ts";
import { openKeySource } from "../master-keys/index.ts";
import { makeIdentity } from "./archive/make-identity.ts";
import { megabytes } from "./archive/megabytes.ts";
import { writeBackupState } from "./state/backup-state.ts";
import { type Taken, takeBackup } from "./take-backup.ts";

export async function run(settings: Settings, { values }: Given): Promise<number> {
  if (typeof values["new-key"] === "string") {
    process.stdout.write(await makeIdentity(resolve(values["new-key"])));
    return 0;
  }
  const from = resolve(settings.TILLPOST_DATA_DIR, "postgres.json");
  if (settings.DATABASE_URL === null && !existsSync(from))
    throw new Error(`There is no Tillpost in ${settings.TILLPOST_DATA_DIR} yet. \`npm start\` makes one.`);
  const began = performance.now();
  const house = await openHouse(settings, { log: makeLog({ level: "error", pretty: true }), share: true });
  try {
    const taken = await takeBackup(house, resolve(typeof values["to"] === "string" ? values["to"] : settings.BACKUP_DIR));
    await writeBackupState(settings.TILLPOST_DATA_DIR, {
      taken: { at: taken.manifest.started_at, path: taken.path, bytes: taken.manifest.files.reduce((sum, { bytes }) => sum + bytes, 0) },
      failed: undefined,
      told: undefined,
    });
    process.stdout.write(describe(taken, settings, (performance.now() - began) / 1000));
    return 0;
  } finally {
    await house.close();
  }
}

function describe({ path, manifest }: Taken, settings: Settings, seconds: number): string {
  const written = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const held = manifest.files.reduce((sum, { holds_bytes }) => sum + holds_bytes, 0);
  return [
    `Backed up to ${path}: ${megabytes(written)} that hold ${megabytes(held)}, in ${seconds.toFixed(1)} s.`,
    manifest.recipient === null
      ? "It is not encrypted: whoever has it can read the database. BACKUP_RECIPIENT names a public key to encrypt to."
      : `Encrypted to ${manifest.recipient}.`,
    ...(manifest.uploads === "in this backup" ? [] : [`Uploaded files stay in the bucket ${manifest.uploads.s3_bucket}, and are not part of it.`]),
    `The master keys are not part of it. Keep a copy of ${openKeySource(settings).name} in another place: without them a backup restores nothing that was sealed.`,
    "",
  ].join("\n");
}
