import { type MasterKeys, open, type SealPlace, seal } from "#platform/index.ts";
import type { CredentialField } from "../port.ts";

/** The entered fields of an account's form, by name. */
export type Fields = Readonly<Record<string, string>>;

/** The location of an account's secret fields. */
export function credentialPlace(id: string): SealPlace {
  return { table: "gateway_credentials", column: "sealed", row: id };
}

/** The location of all previous fields of an account. */
export function formerPlace(id: string, fieldsVersion: number): SealPlace {
  return { table: "gateway_former_fields", column: "sealed", row: `${id} ${fieldsVersion}` };
}

export function sealFields(keys: MasterKeys, place: SealPlace, fields: Fields): string {
  return seal(keys, place, JSON.stringify(fields));
}

export function openFields(keys: MasterKeys, place: SealPlace, sealed: string): Record<string, string> {
  return JSON.parse(open(keys, place, sealed).toString("utf8")) as Record<string, string>;
}

/** Splits fields: those that are shown, and the secret ones with their endings. */
export function splitFields(form: readonly CredentialField[], fields: Fields) {
  const secretNames = new Set(form.filter(({ secret }) => secret).map(({ name }) => name));
  const entries = Object.entries(fields);
  const secrets = entries.filter(([name]) => secretNames.has(name));
  return {
    shown: Object.fromEntries(entries.filter(([name]) => !secretNames.has(name))),
    secrets: Object.fromEntries(secrets),
    secret_last4: Object.fromEntries(secrets.map(([name, value]) => [name, endOf(value)])),
  };
}

/** A short text would be revealed by its ending, and the ending of a PEM key is always the same. */
export function endOf(secret: string): string {
  const body = secret.replace(/-----[A-Z ]+-----/g, "").replace(/\s+/g, "");
  return body.length < 12 ? "" : body.slice(-4);
}
