import type { Objects } from "../../data/client.ts";

export type Webhook = Objects["Webhook"];

/** True if a rule of ours disabled it (five days of failures, or 410), not a person. */
export function isSwitchedOff({ status, disabled_reason }: Webhook): boolean {
  return status === "disabled" && disabled_reason !== "requested";
}
