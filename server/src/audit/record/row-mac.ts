import { createHmac } from "node:crypto";
import { deriveKey, equalSecret, type MasterKeys } from "#platform/index.ts";
import type { AuditContent } from "./sql.ts";

/** A row's own seal, made where the row is: what another program writes into the log has none, and is never chained. */
export function macOfRow(keys: MasterKeys, row: AuditContent): Buffer {
  return macUnder(keys, keys.current, row);
}

/** Whether this program wrote a row, under a master key that is configured. */
export function isOwnRow(keys: MasterKeys, row: AuditContent & { mac: Buffer }): boolean {
  const version = row.mac.length === 36 ? row.mac.readUInt32BE(0) : -1;
  return keys.keys.has(version) && equalSecret(macUnder(keys, version, row).toString("hex"), row.mac.toString("hex"));
}

function macUnder(keys: MasterKeys, version: number, row: AuditContent): Buffer {
  const key = deriveKey({ ...keys, current: version }, "audit-row");
  const head = Buffer.alloc(4);
  head.writeUInt32BE(version);
  return Buffer.concat([head, createHmac("sha256", key).update(textOf(row)).digest()]);
}

/** A row in one spelling, as written and as read back. Its project says which merchant's it is; without one, the merchant itself. */
function textOf(row: AuditContent): string {
  const { id, project_id, livemode, actor_kind, actor_id, action, object_type, object_id, request_id } = row;
  const owner = project_id ?? row.merchant_id;
  const detail = sorted(JSON.parse(JSON.stringify(row.detail ?? null)));
  return JSON.stringify([id, owner, livemode, actor_kind, actor_id, action, object_type, object_id, detail, request_id, row.created_at.toISOString()]);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, inner]) => [name, sorted(inner)]);
}
