import { describe, expect, test } from "vitest";
import { scriptedGateway } from "#test/support/gateways/scripted/scripted-gateway.ts";
import type { RecentAttempt } from "../call/attempts.sql.ts";
import type { Credential } from "../rows/sql.ts";
import { assessSetup, type SetupFacts } from "./assess-setup.ts";

const at = new Date("2026-11-20T08:00:00Z");
const later = new Date("2026-11-20T09:00:00Z");

const credential: Credential = {
  ...{
    project_id: "prj_1",
    livemode: false,
    id: "gc_1",
    gateway: "testpay",
    demo: false,
    label: null,
    enabled: true,
    position: 1,
    weight: 100,
  },
  ...{
    min_minor: null,
    max_minor: null,
    currencies: null,
    fields: { key: "tp_test_1" },
    secret_last4: { secret: "et-1" },
    fields_version: 1,
  },
  ...{
    status: "checked",
    checked_at: at,
    check_error: null,
    account: "acct_1",
    account_name: null,
    consecutive_failures: 0,
    failing_since: null,
  },
  ...{
    breaker_until: null,
    is_paused: false,
    former_until: null,
    version: 1,
    created_at: at,
    created_by: "p",
    updated_at: at,
    updated_by: "p",
    removed_at: null,
  },
  ...{
    comparison_status: null,
    compared_at: null,
    compared_until: null,
    compared_lines: 0,
    compared_differences: 0,
    comparison_error: null,
  },
};
const attempt = (given: Partial<RecentAttempt>, clock_ahead_seconds: number | null = 0): RecentAttempt => ({
  ...{ verb: "check", outcome: "succeeded", message: null, created_at: at },
  exchanges: [{ method: "GET", url: "api.testpay.example/account", status: 200, error_code: null, duration_ms: 5, clock_ahead_seconds }],
  ...given,
});
const { manifest } = scriptedGateway();
const entered = { ...manifest, callbackPerPayment: false, callbackEntry: { field: "certificate", hints: { en: "Settings" } } };
const facts: SetupFacts = {
  ...{ credential, manifest, isCheckable: true, publicUrl: "https://pay.tillpost.com", currency: "EUR", attempts: [attempt({})] },
  ...{ received: { event: "paid", received_at: at }, refused: null },
};
const of = (change: Partial<Credential>) => ({ credential: { ...credential, ...change } });
const findingOf = (change: Partial<SetupFacts>, name: string) =>
  assessSetup({ ...facts, ...change }).findings.find((one) => one.name === name);

test("an account that works has nothing to correct", () => {
  const { outcome, findings } = assessSetup(facts);
  expect(outcome).toBe("ok");
  expect(findings.map(({ name, outcome: found, reason }) => [name, found, reason])).toEqual([
    ["credentials", "ok", "accepted"],
    ["payments", "ok", "taking"],
    ["address", "ok", "reached"],
    ["callbacks", "ok", "received"],
    ["clock", "ok", "in_step"],
    ["currency", "ok", "taken"],
  ]);
});

describe("a setup reports what is wrong", () => {
  const error = { code: "401", message: "No such key." };
  test.each<[string, Partial<SetupFacts>, object]>([
    [
      "credentials",
      of({ status: "failed", check_error: error }),
      { outcome: "problem", reason: "refused", values: { provider_message: "No such key." } },
    ],
    [
      "credentials",
      of({ status: "failed", check_error: { code: "other_account", message: "x" } }),
      { outcome: "problem", reason: "other_account" },
    ],
    ["credentials", of({ status: "unchecked", check_error: error }), { outcome: "attention", reason: "unreachable" }],
    ["credentials", of({ status: "unchecked" }), { outcome: "unknown", reason: "not_checked" }],
    ["credentials", { ...of({ status: "unchecked" }), isCheckable: false }, { outcome: "unknown", reason: "not_checkable" }],
    ["payments", of({ status: "failed", check_error: error, failing_since: at }), { outcome: "problem", reason: "refused" }],
    ["payments", of({ status: "unchecked", check_error: error }), { outcome: "ok", reason: "taking" }],
    ["payments", of({ enabled: false, is_paused: true }), { outcome: "attention", reason: "paused" }],
    [
      "payments",
      of({ is_paused: true, breaker_until: later, failing_since: at }),
      { outcome: "problem", reason: "not_answering", at: later },
    ],
    [
      "payments",
      of({ failing_since: at, consecutive_failures: 3 }),
      { outcome: "attention", reason: "failing", at, values: { failures: 3 } },
    ],
    ["address", { received: null }, { outcome: "ok", reason: "public" }],
    [
      "address",
      { received: null, publicUrl: "http://localhost:8080" },
      { outcome: "attention", reason: "private_address", values: { host: "localhost" } },
    ],
    ["address", { received: null, publicUrl: "https://192.168.1.4" }, { outcome: "attention", reason: "private_address" }],
    ["address", { received: null, publicUrl: "http://pay.tillpost.com" }, { outcome: "attention", reason: "no_https" }],
    ["callbacks", { manifest: entered }, { outcome: "problem", reason: "field_missing", values: { field: "certificate" } }],
    ["callbacks", { received: null }, { outcome: "unknown", reason: "none_yet" }],
    ["callbacks", { received: null, refused: { reason: "signature", received_at: at } }, { outcome: "problem", reason: "refused", at }],
    [
      "callbacks",
      { refused: { reason: "stale", received_at: later } },
      { outcome: "attention", reason: "refused", values: { refusal: "stale" } },
    ],
    [
      "callbacks",
      { refused: { reason: "stale", received_at: new Date(0) } },
      { outcome: "ok", reason: "received", values: { event: "paid" } },
    ],
    [
      "callbacks",
      { attempts: [attempt({ verb: "verify", outcome: "unavailable", message: "No certificate.", created_at: later })] },
      { outcome: "attention", reason: "unread", values: { provider_message: "No certificate." } },
    ],
    ["clock", { attempts: [attempt({}, 45)] }, { outcome: "attention", reason: "behind", values: { seconds: 45 } }],
    ["clock", { attempts: [attempt({}, -400)] }, { outcome: "problem", reason: "ahead", values: { seconds: 400 } }],
    ["clock", { attempts: [attempt({}, null), attempt({}, 2)] }, { outcome: "ok", reason: "in_step" }],
    ["clock", { attempts: [] }, { outcome: "unknown", reason: "not_measured" }],
    ["currency", { currency: "CNY" }, { outcome: "attention", reason: "not_taken", values: { currency: "CNY" } }],
  ])("%s, case %#", (name, change, expected) => {
    expect(findingOf(change, name)).toMatchObject(expected);
  });

  test("and is as good as its worst part", () => {
    expect(assessSetup({ ...facts, ...of({ enabled: false }) }).outcome).toBe("attention");
    expect(assessSetup({ ...facts, ...of({ enabled: false, status: "failed", check_error: error }) }).outcome).toBe("problem");
  });
});

describe("the payment for trying an account", () => {
  test.each<[string, Partial<SetupFacts>, object | null]>([
    ["is the smallest that the gateway takes", {}, { amount_minor: manifest.limits.minMinor("EUR"), currency: "EUR" }],
    [
      "is one that the gateway can write",
      { ...of({ min_minor: 704 }), manifest: { ...manifest, limits: { ...manifest.limits, stepMinor: () => 10 } } },
      { amount_minor: 710, currency: "EUR" },
    ],
    ["is within the account's own limits", of({ min_minor: 700 }), { amount_minor: 700, currency: "EUR" }],
    ["is in a currency of the gateway where it doesn't take the project's", { currency: "CNY" }, { currency: "EUR" }],
    ["is none in LIVE", of({ livemode: true }), null],
    ["is none where limits leave nothing", of({ min_minor: 2_000_000_000 }), null],
  ])("%s", (_what, change, expected) => {
    const { test_payment } = assessSetup({ ...facts, ...change });
    if (expected === null) expect(test_payment).toBeNull();
    else expect(test_payment).toMatchObject(expected);
  });
});
