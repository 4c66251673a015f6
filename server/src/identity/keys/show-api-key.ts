import type { ApiKeyRow } from "./sql.ts";

/** An API key as the API shows it, without its secret. */
export interface ApiKey extends ApiKeyRow {
  object: "api_key";
  environment: "test" | "live";
  status: "active" | "revoked" | "expired";
}

export function showApiKey(row: ApiKeyRow, now: Date): ApiKey {
  const expired = row.expires_at !== null && row.expires_at <= now;
  const status = row.revoked_at !== null && row.revoked_at <= now ? "revoked" : expired ? "expired" : "active";
  return { ...row, object: "api_key", environment: row.livemode ? "live" : "test", status };
}
