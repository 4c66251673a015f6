import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { limitAttempts, takeCode, takeLink } from "./limit-attempts.ts";

const { ctx, clock } = await testApp();
const tenYearsMs = 3650 * 86_400_000;

test("attempts while the clock was ahead don't count after it was set back", async () => {
  const limits = { perPair: 2, perAccount: 2, perAddress: 2 };
  const attempt = () => limitAttempts(ctx, limits, { purpose: "sign in", account: "li@tea.example", address: "203.0.113.1" });
  const now = clock.now();
  clock.advance(tenYearsMs);
  await attempt();
  clock.set(now);
  for (let made = 0; made < 2; made += 1) await attempt();
  await expect(attempt()).rejects.toMatchObject({ code: "rate_limited", extras: { headers: { "retry-after": "60" } } });
  clock.advance(60_000);
  await attempt();
});

test("a link or a code that was used while the clock was ahead stays used after it was set back", async () => {
  const link = () => ctx.transact((tx) => takeLink(tx, "a token"));
  const code = () => ctx.transact((tx) => takeCode(tx, { person_id: "per_1", code: "123456" }));
  const now = clock.now();
  clock.advance(tenYearsMs);
  await Promise.all([link(), code()]);
  clock.set(now);
  await expect(link()).rejects.toMatchObject({ code: "parameter_invalid" });
  await expect(code()).rejects.toMatchObject({ code: "authentication_required" });
});

test("a link is used once, however many use it concurrently, and a code again once it is no longer remembered", async () => {
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => ctx.transact((tx) => takeLink(tx, "another token"))));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const code = () => ctx.transact((tx) => takeCode(tx, { person_id: "per_2", code: "123456" }));
  await code();
  await expect(code()).rejects.toThrow();
  clock.advance(120_000);
  await code();
});
