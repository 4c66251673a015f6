import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { CallSettings } from "#calls/index.ts";
import type { MailSettings } from "#email/index.ts";
import { listGateways } from "#gateways/index.ts";
import { type GuardSettings, readPace, readTierCaps } from "#guards/index.ts";
import { listChannels } from "#messaging/index.ts";
import { callNumbers, smsNumbers } from "#numbers/index.ts";
import {
  type Ctx,
  createEgress,
  createProcessClock,
  type Database,
  type FileStore,
  type MasterKeys,
  newId,
  openDatabase,
  type ProcessClock,
} from "#platform/index.ts";
import type { SmsSettings } from "#sms/index.ts";
import { channels } from "../channels.ts";
import type { Settings } from "../config.ts";
import { deliverCallback } from "../deliver-callback.ts";
import { type DataFolder, type Embedded, FolderInUse, openDataFolder, requireRestored, startEmbedded } from "../embedded/index.ts";
import { gateways } from "../gateways.ts";
import { howToRun } from "../installed/how-to-run.ts";
import { followMasterKeys, type KeyFollower, type KeySource, openKeySource } from "../master-keys/index.ts";
import { paymentMethods } from "../payment-methods.ts";
import { listSmsRoutes } from "../sms/open-sms.ts";
import { hasCallRoute } from "../voice/index.ts";
import { localFileStore } from "./local-file-store.ts";

/** Everything that one process of Tillpost runs on. */
export interface Runtime {
  readonly settings: Settings;
  readonly log: Logger;
  readonly ctx: Ctx;
  readonly database: Database;
  /** The clock of `ctx.now()` and ids. Uses the machine's time until it follows the database's, which must have been migrated. */
  readonly clock: ProcessClock;
  readonly databaseUrl: string;
  /** The same database as the role that owns its tables, for migrations. */
  readonly ownerUrl: string;
  /** The embedded server as the role that copies its files; null with the operator's own database. */
  readonly backupUrl: string | null;
  /** Where its master keys come from. */
  readonly keySource: KeySource;
  /** Takes part in rotations of master keys from now on, until it's closed; `command` identifies this process to operators. */
  followKeys(command: string): Promise<void>;
  readonly files: FileStore;
  /** The data folder, if this process has locked it: with the embedded database. */
  readonly dataFolder: DataFolder | null;
  /** True if this start created the database, or an earlier one did and was cut off before its demo was complete. */
  readonly isFirstStart: boolean;
  /** Closes connections, then stops the embedded database, then unlocks the folder. */
  close(): Promise<void>;
}

export interface RuntimeOptions {
  log: Logger;
  /** Work alongside a program that already runs on the data folder, over its database. */
  share?: boolean;
  onDatabaseLost?: (error: Error) => void;
}

const demoWanted = "demo.wanted";

/** Opens the database (the embedded one unless `DATABASE_URL` specifies another), keys and files. Migrates nothing. */
export async function createRuntime(settings: Settings, options: RuntimeOptions): Promise<Runtime> {
  if (settings.DATABASE_URL !== null) {
    const source = openKeySource(settings);
    const keys = await source.read();
    const { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl } = settings;
    return assemble(settings, options.log, {
      url,
      ownerUrl: ownerUrl ?? url,
      backupUrl: null,
      source,
      keys,
      dataFolder: null,
      embedded: null,
    });
  }
  try {
    return await openEmbedded(settings, options);
  } catch (error) {
    const running = options.share === true && error instanceof FolderInUse ? error.running : null;
    const url = running?.database_url ?? null;
    if (url === null) throw error;
    const source = openKeySource(settings);
    return assemble(settings, options.log, {
      url,
      ownerUrl: running?.owner_url ?? url,
      backupUrl: running?.backup_url ?? null,
      source,
      keys: await source.read(),
      dataFolder: null,
      embedded: null,
    });
  }
}

/** Records that the first start has created its demo. */
export async function clearFirstStart(dataFolder: DataFolder): Promise<void> {
  await dataFolder.remove(demoWanted);
}

/** Records who has a data folder, for programs that find it locked, before there is anything to connect to. */
export async function announceStart(dataFolder: DataFolder): Promise<void> {
  await dataFolder.announce({ pid: process.pid, started_at: new Date().toISOString(), address: null, database_url: null });
}

async function openEmbedded(settings: Settings, options: RuntimeOptions): Promise<Runtime> {
  const dataFolder = openDataFolder(settings.TILLPOST_DATA_DIR);
  let embedded: Embedded | undefined;
  try {
    requireRestored(dataFolder);
    await announceStart(dataFolder);
    if (dataFolder.read("postgres.json") === null) await dataFolder.write(demoWanted, "");
    const source = openKeySource(settings);
    const keys = await keysIn(dataFolder, source);
    const onLost = options.onDatabaseLost ?? (() => {});
    embedded = await startEmbedded(dataFolder, {
      log: options.log,
      connections: settings.DATABASE_POOL * 2 + 10,
      reserveBytes: settings.DISK_RESERVE_MB * 1_000_000,
      onLost,
    });
    return await assemble(settings, options.log, { ...embedded, source, keys, dataFolder, embedded });
  } catch (error) {
    await embedded?.stop();
    await dataFolder.release();
    throw error;
  }
}

/** The master keys of a data folder, created with its database. Throws a readable error if they're missing. */
export async function keysIn(dataFolder: DataFolder, source: KeySource): Promise<MasterKeys> {
  if (source.ownFile === null || dataFolder.read("master-keys") !== null) return source.read();
  if (dataFolder.read("postgres.json") !== null)
    throw new Error(
      `${dataFolder.path} has a database but no master-keys file, so its encrypted secrets can't be read. Restore that file, or set MASTER_KEYS.`,
    );
  await dataFolder.write("master-keys", `1:${randomBytes(32).toString("hex")}\n`);
  return source.read();
}

async function openFiles(settings: Settings, now: () => Date): Promise<FileStore> {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = settings;
  if (S3_ENDPOINT !== null && S3_BUCKET !== null && S3_ACCESS_KEY_ID !== null && S3_SECRET_ACCESS_KEY !== null) {
    const { s3FileStore } = await import("./s3-file-store.ts");
    return s3FileStore({
      endpoint: S3_ENDPOINT,
      bucket: S3_BUCKET,
      region: settings.S3_REGION,
      accessKeyId: S3_ACCESS_KEY_ID,
      secretAccessKey: S3_SECRET_ACCESS_KEY,
      now,
    });
  }
  const folder = join(settings.TILLPOST_DATA_DIR, "files");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return localFileStore(folder);
}

/** No request waits longer than this for a connection or a lock. */
const waitMsMax = 5_000;

function mailSettings(settings: Settings): MailSettings {
  return {
    baseUrl: settings.MESSAGING_BASE_URL,
    linksUrl: settings.LINKS_URL,
    domain: settings.EMAIL_DOMAIN,
    bounceDomain: settings.EMAIL_BOUNCE_DOMAIN,
    from: settings.EMAIL_FROM,
    transport: settings.EMAIL_TRANSPORT as MailSettings["transport"],
  };
}

/** LIVE calls go to countries that a transport reaches, from the project's numbers. */
function callSettings(settings: Settings): CallSettings {
  return { atOnce: settings.CALLS_AT_ONCE, hasRoute: hasCallRoute(settings), ...callNumbers };
}

/** The lists of this installation, with the operator's changes. */
function listsOf(settings: Settings): Pick<Ctx, "methods" | "gateways" | "channels"> {
  return {
    methods: paymentMethods,
    gateways: listGateways(gateways, { urls: settings.GATEWAY_URLS, deliver: deliverCallback }),
    channels: listChannels(channels, settings.QUOTA_TIERS),
  };
}

/** LIVE SMS go to countries that a transport reaches, from the project's senders. */
function smsSettings(settings: Settings): SmsSettings {
  return { routes: listSmsRoutes(settings), senders: smsNumbers };
}

/** What keeps LIVE messages and calls from costing too much. */
function guardSettings(settings: Settings): GuardSettings {
  return { caps: readTierCaps(settings.CAP_TIERS), pace: readPace(settings.RECIPIENT_PACE), callsAtOnce: settings.CALLS_AT_ONCE };
}

/** The settings of each channel. */
function channelsOf(settings: Settings): Pick<Ctx, "mail" | "sms" | "calls" | "guards"> {
  return { mail: mailSettings(settings), sms: smsSettings(settings), calls: callSettings(settings), guards: guardSettings(settings) };
}

interface Ground {
  url: string;
  ownerUrl: string;
  backupUrl: string | null;
  source: KeySource;
  keys: MasterKeys;
  dataFolder: DataFolder | null;
  embedded: Embedded | null;
}

function openDatabaseAt(url: string, settings: Settings, log: Logger): Database {
  return openDatabase({
    url,
    max: settings.DATABASE_POOL,
    prepare: settings.DATABASE_PREPARE,
    waitMs: waitMsMax,
    lockMs: waitMsMax,
    onUnreachable: () =>
      log.error(
        { code: "database_unreachable" },
        "The database isn't responding. Its connections were ended; requests get 503 until it is back.",
      ),
  });
}

async function assemble(
  settings: Settings,
  log: Logger,
  { url, ownerUrl, backupUrl, source, keys, dataFolder, embedded }: Ground,
): Promise<Runtime> {
  const database = openDatabaseAt(url, settings, log);
  const clock = createProcessClock({ db: database.db, log });
  const files = await openFiles(settings, clock.now);
  const egress = createEgress({ allow: settings.EGRESS_ALLOW, publicUrl: settings.PUBLIC_URL });
  const ctx = contextOf(settings, { log, database, clock, masterKeys: keys, files, egress });
  let closing: Promise<void> | undefined;
  let follower: KeyFollower | undefined;
  const close = async () => {
    clock.stop();
    await follower?.stop();
    await ctx.gateways.idle();
    await egress.close();
    await database.close();
    await embedded?.stop();
    await dataFolder?.release();
  };
  return {
    settings,
    log,
    ctx,
    database,
    clock,
    databaseUrl: url,
    ownerUrl,
    backupUrl,
    keySource: source,
    followKeys: async (command) => void (follower = await followMasterKeys(ctx, source, command)),
    files,
    dataFolder,
    isFirstStart: dataFolder !== null && dataFolder.read(demoWanted) !== null,
    close: () => (closing ??= close()),
  };
}

type Parts = Pick<Ctx, "log" | "masterKeys" | "files" | "egress"> & Pick<Runtime, "database" | "clock">;

/** What the program does on its own, outside any request. */
function contextOf(settings: Settings, { log, database, clock, masterKeys, files, egress }: Parts): Ctx {
  return {
    db: database.db,
    log,
    actor: { kind: "system", id: "tillpost" },
    requestId: null,
    claim: null,
    ...{ publicUrl: settings.PUBLIC_URL, howToRun },
    ...channelsOf(settings),
    ...listsOf(settings),
    masterKeys,
    files,
    egress,
    now: clock.now,
    id: (prefix) => newId(prefix, clock.now().getTime()),
    transact: (work) => database.transact(work),
    transactUnclaimed: (work) => database.transact(work),
  };
}
