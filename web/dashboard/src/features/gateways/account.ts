import type { Objects } from "../../data/client.ts";
import type { Tone } from "../../parts/status.tsx";

export type Account = Objects["GatewayCredential"];
export type Gateway = Objects["Gateway"];
export type CredentialField = NonNullable<Gateway["credential_fields"]>[number];

export const accountsRoute = "/api/v1/projects/{projectId}/gateways/{slug}/credentials";
export const accountRoute = `${accountsRoute}/{id}`;

/** What people call an account: their own name for it, or the provider's. */
export function nameOf({ label, account_name, account, id }: Pick<Account, "label" | "account_name" | "account" | "id">): string {
  return label ?? account_name ?? account ?? `…${id.slice(-6)}`;
}

/** How an account stands. */
export const accountStates = {
  refused: "failed",
  paused: "expired",
  not_answering: "failed",
  failing: "waiting",
  unchecked: "waiting",
  working: "paid",
} satisfies Record<string, Tone>;

export type AccountState = keyof typeof accountStates;

/** The one thing to say about an account, the worst first. */
export function stateOf({ status, enabled, paused_until, consecutive_failures }: Account): AccountState {
  if (status === "failed") return "refused";
  if (!enabled) return "paused";
  if (paused_until !== null) return "not_answering";
  if (status === "unchecked") return "unchecked";
  return consecutive_failures > 0 ? "failing" : "working";
}
