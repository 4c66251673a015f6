import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "./hash-password.ts";
import { passwordLength } from "./refuse-weak-password.ts";

test("a password counts in whichever width it is typed", async () => {
  const stored = await hashPassword("1".repeat(passwordLength.max), "light");
  expect(await verifyPassword("１".repeat(passwordLength.max), stored)).toBe(true);
  expect(await verifyPassword("１".repeat(passwordLength.max - 1), stored)).toBe(false);
});

test("one that is longer than any that was set isn't normalized, which could take long", async () => {
  const longer = passwordLength.max * 2 + 1;
  const stored = await hashPassword("1".repeat(longer), "light");
  expect(await verifyPassword("1".repeat(longer), stored)).toBe(true);
  expect(await verifyPassword("１".repeat(longer), stored)).toBe(false);
});
