/** Every permission that an API key can have. */
export const allScopes = [
  "orders:read",
  "orders:write",
  "payments:read",
  "payments:write",
  "webhooks:read",
  "webhooks:write",
  "emails:read",
  "emails:write",
  "sms:read",
  "sms:write",
  "calls:read",
  "calls:write",
  "domains:read",
  "domains:write",
  "suppressions:read",
  "suppressions:write",
  "collection_profiles:write",
  "reviews:write",
  "refunds:write",
  "receipts:write",
] as const;

/** Permissions that move money, report that it moved, or decide where it goes: not in any preset, so each must be requested explicitly. */
export const graveScopes: readonly Scope[] = ["collection_profiles:write", "reviews:write", "refunds:write", "receipts:write"];

export type Scope = (typeof allScopes)[number];

/** True for a name in `allScopes`. */
export function isScope(text: string): text is Scope {
  return (allScopes as readonly string[]).includes(text);
}
