import { createHmac } from "node:crypto";
import { derivedNumbers, deriveKey, equalSecret, type MasterKeys } from "#platform/index.ts";
import type { AuditContent } from "./sql.ts";

/** A row's own seal, created by the process that writes it: rows that other programs insert have none, and are never chained. */
export function macOfRow(keys: MasterKeys, row: AuditContent): Buffer {
  return macUnder(keys, keys.signing, row);
}

/** Whether this program wrote a row, under a known key, including a leaked master key until its last rows are chained. */
export function isOwnRow(keys: MasterKeys, row: AuditContent & { mac: Buffer }): boolean {
  const version = keyNumberOf(row.mac);
  return (
    derivedNumbers(keys, "audit-row").includes(version) &&
    equalSecret(macUnder(keys, version, row).toString("hex"), row.mac.toString("hex"))
  );
}

/** The master key number in a row's seal. */
export function keyNumberOf(mac: Buffer): number {
  return mac.length === 36 ? mac.readUInt32BE(0) : -1;
}

function macUnder(keys: MasterKeys, version: number, row: AuditContent): Buffer {
  const key = deriveKey(keys, "audit-row", version);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(version);
  return Buffer.concat([head, createHmac("sha256", key).update(textOf(row)).digest()]);
}

/**
 * A row in one text form, as written and as read back. Its project determines the merchant; without a project, the row names the merchant
 * itself.
 */
function textOf(row: AuditContent): string {
  const { id, project_id, livemode, actor_kind, actor_id, action, object_type, object_id, request_id } = row;
  const owner = project_id ?? row.merchant_id;
  const detail = sorted(JSON.parse(JSON.stringify(row.detail ?? null)));
  return JSON.stringify([
    id,
    owner,
    livemode,
    actor_kind,
    actor_id,
    action,
    object_type,
    object_id,
    detail,
    request_id,
    row.created_at.toISOString(),
  ]);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, inner]) => [name, sorted(inner)]);
}
