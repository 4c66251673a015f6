import type { Objects } from "../../../data/client.ts";
import type { Tone } from "../../../parts/shown/status.tsx";

export type Account = Objects["GatewayCredential"];
export type Gateway = Objects["Gateway"];
export type CredentialField = NonNullable<Gateway["credential_fields"]>[number];

export const accountsRoute = "/api/v1/projects/{projectId}/gateways/{slug}/credentials";
export const accountRoute = `${accountsRoute}/{id}`;

/** The states of an account. */
export const accountStates = {
  refused: "failed",
  paused: "expired",
  not_answering: "failed",
  failing: "waiting",
  check_failed: "waiting",
  unchecked: "waiting",
  unused: "expired",
  working: "paid",
} satisfies Record<string, Tone>;

export type AccountState = keyof typeof accountStates;

/** The most important state of an account, the worst first. A demo account gets no payments while its gateway has another one. */
export function stateOf(
  { demo, status, check_error, enabled, paused_until, consecutive_failures }: Account,
  gateway: Pick<Gateway, "demo">,
): AccountState {
  if (demo && !gateway.demo) return "unused";
  if (status === "failed") return "refused";
  if (!enabled) return "paused";
  if (paused_until !== null) return "not_answering";
  if (status === "unchecked") return check_error === null ? "unchecked" : "check_failed";
  return consecutive_failures > 0 ? "failing" : "working";
}
