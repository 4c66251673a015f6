import { isPublicHost } from "#platform/index.ts";
import type { RecentAttempt } from "../call/attempts.sql.ts";
import { takesCurrency } from "../payment-methods.ts";
import type { GatewayManifest } from "../port.ts";
import type { Credential } from "../rows/sql.ts";
import type { GatewayAmount } from "../snapshots.ts";
import { type Setup, type SetupFinding, type SetupReason, setupOutcomes } from "./shapes.ts";

/** The known data of an account, its calls and callbacks. */
export interface SetupFacts {
  credential: Credential;
  manifest: GatewayManifest;
  /** Whether the provider has a call that checks credentials. */
  isCheckable: boolean;
  publicUrl: string;
  /** The project's own currency. */
  currency: string;
  /** Newest first. */
  attempts: readonly RecentAttempt[];
  received: { event: string; received_at: Date } | null;
  refused: { reason: string; received_at: Date } | null;
}

/** Providers and their customers' servers refuse signatures that are five minutes old. */
const maxAheadSeconds = 240;
/** A response takes time, and its clock has whole seconds. */
const noticedSeconds = 30;

/** The state of an account's setup, and the reasons, from its known data. */
export function assessSetup(facts: SetupFacts): Setup {
  const { credential, manifest } = facts;
  const findings = [credentialsOf(facts), paymentsOf(facts), addressOf(facts), callbacksOf(facts), clockOf(facts), currencyOf(facts)];
  const worst = Math.max(...findings.map(({ outcome }) => setupOutcomes.indexOf(outcome)));
  return {
    credential_id: credential.id,
    gateway: credential.gateway,
    outcome: setupOutcomes[worst] ?? "unknown",
    findings,
    test_payment: credential.livemode ? null : smallestOf(credential, manifest, facts.currency),
  };
}

type Rest = Partial<Pick<SetupFinding, "at" | "values">>;
type Assessed = Pick<SetupFinding, "outcome" | "reason"> & Rest;

const assessed = (outcome: SetupFinding["outcome"], reason: SetupReason, rest: Rest = {}): Assessed => ({ outcome, reason, ...rest });

function found(name: SetupFinding["name"], { outcome, reason, at = null, values = {} }: Assessed): SetupFinding {
  return { name, outcome, reason, at, values };
}

function credentialsOf({ credential, isCheckable }: SetupFacts): SetupFinding {
  const { status, checked_at: at, check_error: error } = credential;
  const values = error === null ? {} : { provider_message: error.message };
  if (status === "checked") return found("credentials", assessed("ok", "accepted", { at }));
  if (status === "failed")
    return found(
      "credentials",
      error?.code === "other_account" ? assessed("problem", "other_account", { at }) : assessed("problem", "refused", { at, values }),
    );
  if (error !== null) return found("credentials", assessed("attention", "unreachable", { at, values }));
  return found("credentials", assessed("unknown", isCheckable ? "not_checked" : "not_checkable"));
}

function paymentsOf({ credential }: SetupFacts): SetupFinding {
  const { enabled, status, is_paused, breaker_until, failing_since, consecutive_failures } = credential;
  if (!enabled) return found("payments", assessed("attention", "paused"));
  if (status === "failed") return found("payments", assessed("problem", "refused"));
  if (is_paused) return found("payments", assessed("problem", "not_answering", { at: breaker_until }));
  if (failing_since !== null)
    return found("payments", assessed("attention", "failing", { at: failing_since, values: { failures: consecutive_failures } }));
  return found("payments", assessed("ok", "taking"));
}

/** Once callbacks arrive, there is no need to guess whether they can. */
function addressOf({ publicUrl, received }: SetupFacts): SetupFinding {
  if (received !== null) return found("address", assessed("ok", "reached"));
  const { protocol, hostname } = new URL(publicUrl);
  const values = { host: hostname };
  if (!isPublicHost(hostname)) return found("address", assessed("attention", "private_address", { values }));
  return found("address", protocol === "https:" ? assessed("ok", "public", { values }) : assessed("attention", "no_https", { values }));
}

function callbacksOf({ credential, manifest, attempts, received, refused }: SetupFacts): SetupFinding {
  const field = manifest.callbackEntry?.field;
  if (field !== undefined && credential.fields[field] === undefined && credential.secret_last4[field] === undefined)
    return found("callbacks", assessed("problem", "field_missing", { values: { field } }));
  const unread = attempts.find(({ verb, outcome }) => verb === "verify" && outcome !== "succeeded");
  const lastAt = received?.received_at.getTime() ?? 0;
  // Anyone can send callbacks that are refused: if callbacks have been verified, a refused one may not be the provider's.
  if (refused !== null && refused.received_at.getTime() > lastAt)
    return found(
      "callbacks",
      assessed(received === null ? "problem" : "attention", "refused", { at: refused.received_at, values: { refusal: refused.reason } }),
    );
  if (unread !== undefined && unread.created_at.getTime() > lastAt)
    return found(
      "callbacks",
      assessed("attention", "unread", { at: unread.created_at, values: { provider_message: unread.message ?? "" } }),
    );
  if (received === null) return found("callbacks", assessed("unknown", "none_yet"));
  return found("callbacks", assessed("ok", "received", { at: received.received_at, values: { event: received.event } }));
}

function clockOf({ attempts }: SetupFacts): SetupFinding {
  for (const { exchanges, created_at: at } of attempts) {
    const ahead = exchanges.findLast(({ clock_ahead_seconds }) => clock_ahead_seconds != null)?.clock_ahead_seconds;
    if (ahead == null) continue;
    const values = { seconds: Math.abs(ahead) };
    if (values.seconds < noticedSeconds) return found("clock", assessed("ok", "in_step", { at }));
    // Reported about this server's clock, which its operator can set.
    return found(
      "clock",
      assessed(values.seconds < maxAheadSeconds ? "attention" : "problem", ahead > 0 ? "behind" : "ahead", { at, values }),
    );
  }
  return found("clock", assessed("unknown", "not_measured"));
}

function takes({ currencies }: Credential, manifest: GatewayManifest, currency: string): boolean {
  return takesCurrency(manifest.method, currency) && (currencies === null || currencies.includes(currency));
}

function currencyOf({ credential, manifest, currency }: SetupFacts): SetupFinding {
  const values = { currency };
  return found(
    "currency",
    takes(credential, manifest, currency) ? assessed("ok", "taken", { values }) : assessed("attention", "not_taken", { values }),
  );
}

/** In the project's currency if the account supports it, otherwise in the first supported one. */
function smallestOf(credential: Credential, manifest: GatewayManifest, own: string): GatewayAmount | null {
  const { currencies } = manifest.method;
  const offered = [own, ...(credential.currencies ?? []), ...(currencies === "any" ? [] : currencies)];
  const currency = offered.find((one) => takes(credential, manifest, one));
  if (currency === undefined) return null;
  const step = manifest.limits.stepMinor(currency);
  const amount_minor = Math.ceil(Math.max(manifest.limits.minMinor(currency), credential.min_minor ?? 0) / step) * step;
  return amount_minor > Math.min(manifest.limits.maxMinor(currency), credential.max_minor ?? Number.POSITIVE_INFINITY)
    ? null
    : { amount_minor, currency };
}
