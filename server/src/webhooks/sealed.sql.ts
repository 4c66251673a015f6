import { type Exposed, type SealedColumn, sealedColumn } from "#platform/index.ts";

/** All secrets of one row are bound to its column `secret`, because a roll moves them between columns. That column counts them all. */
const ofEndpoints = { table: (tag) => tag`webhook_endpoints`, row: (tag) => tag`id`, place: "secret" } satisfies Partial<SealedColumn> & {
  place: string;
};
const ofCallbacks = {
  table: (tag) => tag`callback_secrets`,
  row: (tag) => tag`project_id || ' ' || livemode`,
  place: "secret",
} satisfies Partial<SealedColumn> & { place: string };

const rolled = (one: string): Exposed => ({ one, remedy: "roll each secret" });

/** The encrypted columns of the secrets that sign webhooks and callbacks. */
export const webhookSecrets: readonly SealedColumn[] = [
  sealedColumn({ ...ofEndpoints, name: "webhook_endpoints.secret", column: (tag) => tag`secret`, exposes: rolled("webhook endpoint") }),
  sealedColumn({ ...ofEndpoints, name: "webhook_endpoints.next_secret", column: (tag) => tag`next_secret`, exposes: null }),
  sealedColumn({ ...ofEndpoints, name: "webhook_endpoints.previous_secret", column: (tag) => tag`previous_secret`, exposes: null }),
  sealedColumn({ ...ofCallbacks, name: "callback_secrets.secret", column: (tag) => tag`secret`, exposes: rolled("callback secret") }),
  sealedColumn({ ...ofCallbacks, name: "callback_secrets.next_secret", column: (tag) => tag`next_secret`, exposes: null }),
  sealedColumn({ ...ofCallbacks, name: "callback_secrets.previous_secret", column: (tag) => tag`previous_secret`, exposes: null }),
];
