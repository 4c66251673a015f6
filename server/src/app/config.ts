import { hostname } from "node:os";
import { join, resolve } from "node:path";
import Type, { type Static, type TSchema } from "typebox";
import { deafFault, readVoiceAccounts } from "#providers/telephony/twilio/voice/settings.ts";
import { readSipSettings } from "#providers/voice/sip/settings/read-sip-settings.ts";
import type { Setting } from "./settings/setting.ts";
import { settingsTable } from "./settings-table.ts";

interface Bounds {
  minimum?: number;
  maximum?: number;
  minLength?: number;
}

type Table = typeof settingsTable;
type ValueOf<S> = S extends { schema: infer Schema extends TSchema; default: infer Default }
  ? Static<Schema> | (null extends Default ? null : never)
  : never;
type Read = { [Name in keyof Table]: ValueOf<Table[Name]> };

type Derived = "PUBLIC_URL" | "MESSAGING_BASE_URL" | "EMAIL_DOMAIN" | "EMAIL_FROM" | "EMAIL_HELO" | "BACKUP_DIR";

/**
 * The settings of one process, with defaults; `PUBLIC_URL` and `MESSAGING_BASE_URL` end without a slash, and the data folder is absolute.
 */
export type Settings = Omit<Read, Derived> & { [Name in Derived]: string };

/** All faults of a configuration at once, one line each, by the setting's name. */
export class SettingsError extends Error {
  readonly faults: readonly string[];

  constructor(faults: string[]) {
    super(
      `The configuration has ${faults.length === 1 ? "an error" : `${faults.length} errors`}:\n${faults.map((line) => `  ${line}`).join("\n")}`,
    );
    this.faults = faults;
  }
}

/** This process's environment, for the only place that reads settings from it and for passing it to child processes. */
export function processEnvironment(): NodeJS.ProcessEnv {
  return process.env;
}

/** Reads every setting or throws one `SettingsError` with everything that is wrong. An empty variable counts as not set. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const faults: string[] = [];
  const values = Object.fromEntries(
    Object.entries(settingsTable).map(([name, setting]) => [name, readSetting({ name, setting, given: env[name] }, faults)]),
  );
  const read = values as Read;
  faults.push(...keyFaults(read, env));
  if (read.DATABASE_OWNER_URL !== null && read.DATABASE_URL === null && (env["DATABASE_URL"] ?? "") === "") {
    faults.push("DATABASE_URL must be set if DATABASE_OWNER_URL is: the server uses it");
  }
  for (const kind of ["S3", "BACKUP_S3"] as const) {
    const s3 = (["ENDPOINT", "BUCKET", "ACCESS_KEY_ID", "SECRET_ACCESS_KEY"] as const).map((name) => `${kind}_${name}` as const);
    if (s3.some((name) => read[name] !== null))
      faults.push(...s3.filter((name) => read[name] === null).map((name) => `${name} must be set if another ${kind} setting is`));
  }
  const pair = ["EMAIL_BOUNCE_TLS_CERT", "EMAIL_BOUNCE_TLS_KEY"] as const;
  if (pair.some((name) => read[name] !== null))
    faults.push(...pair.filter((name) => read[name] === null).map((name) => `${name} must be set if the other of the two is`));
  if (Date.parse(read.FLAT_PATHS_SUNSET_AT) <= Date.parse(read.FLAT_PATHS_DEPRECATED_AT)) {
    faults.push("FLAT_PATHS_SUNSET_AT must be later than FLAT_PATHS_DEPRECATED_AT");
  }
  if (read.EMAIL_TRANSPORT === "relay" && read.EMAIL_RELAY_URL === null && (env["EMAIL_RELAY_URL"] ?? "") === "") {
    faults.push("EMAIL_RELAY_URL must be set if EMAIL_TRANSPORT is relay");
  }
  if (read.SIP_TRUNKS !== null) faults.push(...readSipSettings(read).faults);
  if (read.LIMITS_STORE === "redis" && read.REDIS_URL === null && (env["REDIS_URL"] ?? "") === "") {
    faults.push("REDIS_URL must be set if LIMITS_STORE is redis");
  }
  const publicUrl = withoutSlash(read.PUBLIC_URL ?? `http://localhost:${read.PORT}`);
  if (read.LINKS_URL !== null && URL.parse(read.LINKS_URL)?.host === URL.parse(publicUrl)?.host) {
    faults.push(
      "LINKS_URL must have a different host than PUBLIC_URL, to keep senders' links away from the pages where people pay and sign in",
    );
  }
  const callbackFault = read.VOICE_HTTP_URL === null ? null : deafFault(readVoiceAccounts(read.VOICE_HTTP_URL), publicUrl);
  if (callbackFault !== null) faults.push(callbackFault);
  if (faults.length > 0) throw new SettingsError(faults);
  const emailDomain = read.EMAIL_DOMAIN ?? new URL(publicUrl).hostname;
  return {
    ...read,
    PUBLIC_URL: publicUrl,
    MESSAGING_BASE_URL: withoutSlash(read.MESSAGING_BASE_URL ?? publicUrl),
    LINKS_URL: read.LINKS_URL === null ? null : withoutSlash(read.LINKS_URL),
    EMAIL_DOMAIN: emailDomain,
    EMAIL_FROM: read.EMAIL_FROM ?? `Tillpost <no-reply@${emailDomain}>`,
    EMAIL_HELO: read.EMAIL_HELO ?? hostname(),
    TILLPOST_DATA_DIR: resolve(read.TILLPOST_DATA_DIR),
    BACKUP_DIR: resolve(read.BACKUP_DIR ?? join(read.TILLPOST_DATA_DIR, "backups")),
  };
}

/** Master keys may only come from one source. */
function keyFaults(read: Read, env: Readonly<Record<string, string | undefined>>): string[] {
  const names = ["MASTER_KEYS", "MASTER_KEYS_FILE", "MASTER_KEYS_COMMAND"] as const;
  const given = names.filter((name) => (env[name] ?? "").trim() !== "");
  if (given.length > 1) return [`${given.join(" and ")} are set: keep only one of them`];
  if (given.length === 1 || read.DATABASE_URL === null) return [];
  return [
    "MASTER_KEYS, MASTER_KEYS_FILE or MASTER_KEYS_COMMAND must be set if DATABASE_URL is: 1:<64 hexadecimal digits>, for example from `openssl rand -hex 32`",
  ];
}

function readSetting({ name, setting, given }: { name: string; setting: Setting; given: string | undefined }, faults: string[]): unknown {
  if (given === undefined || given.trim() === "") return setting.default;
  const value = convert(setting.schema, given.trim());
  const fault = value === null ? `must be ${shapeOf(setting.schema)}` : (setting.fault?.(value as never) ?? null);
  if (fault !== null) faults.push(setting.secret ? `${name} ${fault}` : `${name} ${fault}, not ${JSON.stringify(given)}`);
  return fault === null ? value : setting.default;
}

/**
 * Returns null if the value doesn't fit the schema. Only these few shapes are checked, because a full validator would cost memory at each
 * start.
 */
function convert(schema: TSchema & Bounds, given: string): unknown {
  if (schema.minimum !== undefined)
    return /^-?\d+$/.test(given) && Number(given) >= schema.minimum && Number(given) <= (schema.maximum ?? Infinity) ? Number(given) : null;
  if (Type.IsBoolean(schema)) return /^(true|1|on|yes)$/i.test(given) ? true : /^(false|0|off|no)$/i.test(given) ? false : null;
  if (Type.IsEnum(schema)) return schema.enum.includes(given) ? given : null;
  if (Type.IsArray(schema))
    return given
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
  return given.length >= (schema.minLength ?? 1) ? given : null;
}

/** Describes a setting's shape in words. */
export function shapeOf(schema: TSchema & Bounds): string {
  if (schema.minimum !== undefined) return `a whole number from ${schema.minimum} to ${schema.maximum}`;
  if (Type.IsBoolean(schema)) return "on or off";
  if (Type.IsEnum(schema)) return `one of ${schema.enum.join(", ")}`;
  if (Type.IsArray(schema)) return "a comma-separated list";
  const least = schema.minLength ?? 1;
  return least > 1 ? `text of at least ${least} characters` : "text";
}

function withoutSlash(url: string): string {
  return url.replace(/(?<!\/)\/+$/, "");
}
