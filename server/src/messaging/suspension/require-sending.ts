import { listSuspendedProjects } from "#identity/index.ts";
import { after, known, type Pipe, type Sent, type Tenant } from "#platform/index.ts";
import { messagingErrors } from "../errors.ts";
import type { SendingTier } from "../tiers.ts";

/**
 * Refuses messages of merchants whose LIVE sending an operator has suspended; system messages can't be suspended. Throws sending_suspended.
 */
export function requireSending(pipe: Pipe, messages: readonly { tenant: Tenant; tier: SendingTier }[]): Sent<Pipe, void> {
  const live = messages.filter(({ tenant, tier }) => tenant.livemode && tier !== "system").map(({ tenant }) => tenant.project_id);
  if (live.length === 0) return known(pipe, undefined);
  return after(pipe, listSuspendedProjects(pipe, [...new Set(live)]), (suspended) => {
    if (suspended.length > 0) throw messagingErrors.sending_suspended();
  });
}
