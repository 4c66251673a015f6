import type { Tenant } from "./context.ts";

/** Tillpost's own merchant, created by a migration; operators' lists omit it. */
export const ownMerchantId = `mer_${"0".repeat(26)}`;

/** The project that sends system emails: without keys, and exempt from quotas and sender rules. */
export const ownProject: Readonly<Tenant> = Object.freeze({ project_id: `prj_${"0".repeat(26)}`, livemode: true });
