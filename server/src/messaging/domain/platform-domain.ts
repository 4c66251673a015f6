import type { Tenant } from "#platform/index.ts";

/** The built-in project that Tillpost's own mails and domain belong to. */
export const platformTenant: Readonly<Tenant> = { project_id: `prj_${"0".repeat(26)}`, livemode: true };
