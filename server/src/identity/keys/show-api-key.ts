import type { ApiKeyRow } from "./sql.ts";

/** An API key as the API shows it, without its secret. */
export interface ApiKey extends ApiKeyRow {
  object: "api_key";
  environment: "test" | "live";
  status: "active" | "revoked" | "expired";
  /** Problems that its owner should fix. */
  warnings: { code: "no_allowed_ips"; message: string }[];
}

const unbound = "This key can report LIVE transfers from any address. Bind it to the addresses of the program that uses it (allowed_ips).";

export function showApiKey(row: ApiKeyRow, now: Date): ApiKey {
  const expired = row.expires_at !== null && row.expires_at <= now;
  const status = row.revoked_at !== null && row.revoked_at <= now ? "revoked" : expired ? "expired" : "active";
  const open = row.livemode && row.permissions.includes("receipts:write") && row.allowed_ips.length === 0;
  const warnings = open && status === "active" ? [{ code: "no_allowed_ips" as const, message: unbound }] : [];
  return { ...row, object: "api_key", environment: row.livemode ? "live" : "test", status, warnings };
}
