import { expect, test } from "vitest";
import { type Account, type AccountState, stateOf } from "./account.ts";

const healthy: Partial<Account> = { demo: false, enabled: true, status: "checked", check_error: null, paused_until: null };
const working = { ...healthy, consecutive_failures: 0 };
const check_error = { code: "connection", message: "The connection failed." };

test.each<[string, Partial<Account>, AccountState]>([
  ["that works", {}, "working"],
  ["whose check couldn't reach the provider", { status: "unchecked", check_error, consecutive_failures: 1 }, "check_failed"],
  ["whose provider has no check", { status: "unchecked" }, "unchecked"],
  ["that its provider refused", { status: "failed", check_error }, "refused"],
  ["whose last request failed", { consecutive_failures: 1 }, "failing"],
])("an account %s has a state of its own", (_what, change, state) => {
  expect(stateOf({ ...working, ...change } as Account, { demo: false })).toBe(state);
});
