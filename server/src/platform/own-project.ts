import type { Tenant } from "./context.ts";

/** Tillpost's own merchant, as a migration made it; operators' lists leave it out. */
export const ownMerchantId = `mer_${"0".repeat(26)}`;

/** Where Tillpost's own mails are sent from: a project without keys, outside quota and the rules about senders. */
export const ownProject: Readonly<Tenant> = Object.freeze({ project_id: `prj_${"0".repeat(26)}`, livemode: true });
