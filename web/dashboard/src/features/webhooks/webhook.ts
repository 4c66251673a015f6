import type { Objects } from "../../data/client.ts";

export type Webhook = Objects["Webhook"];

/** Whether a rule of ours disabled it (five days of failures, or 410), and no person did. */
export function isSwitchedOff({ status, disabled_reason }: Webhook): boolean {
  return status === "disabled" && disabled_reason !== "requested";
}
