import { expect, test } from "vitest";
import { readMasterKeys } from "#platform/index.ts";
import { testMasterKeys } from "#test/support/app/test-environment.ts";
import { changeOne } from "#test/support/sealed/change-one.ts";
import { noVisit, readVisit, type Visit, visitCookie } from "./visit.ts";

let at = Date.parse("2026-11-20T08:00:00.000Z");
const ctx = { publicUrl: "https://pay.shop.test", masterKeys: readMasterKeys(testMasterKeys), now: () => new Date(at) };
const token = "pl_test_one";
const visit = (): Visit => ({
  asked: { state: "s1", gateway: "harbourpay", credential_id: "gc_1", address: "https://harbour.test/who?a=1", until_ms: at + 600_000 },
  session: "ps_1",
});
const cookieOf = (header: string) => header.split(";")[0] ?? "";

test("a visit is read back from the cookie that was set, among others", () => {
  const set = visitCookie(ctx, token, visit());
  expect(set).toMatch(/^__Host-tillpost\.pay_[0-9a-f]{12}=[\w.-]+; Max-Age=6000; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  expect(readVisit(ctx, token, `a=b; ${cookieOf(set)}; c=d`)).toEqual(visit());
});

test("over plain HTTP the cookie has no name that browsers would refuse", () => {
  expect(visitCookie({ ...ctx, publicUrl: "http://pay.shop.test" }, token, noVisit)).toMatch(
    /^tillpost\.pay_[0-9a-f]{12}=[^;]+; Max-Age=6000; Path=\/; HttpOnly; SameSite=Lax$/,
  );
});

test("the question expires after ten minutes, and so does what the browser may open with the cookie", () => {
  const cookie = cookieOf(visitCookie(ctx, token, visit()));
  at += 600_000;
  expect(readVisit(ctx, token, cookie)).toEqual({ asked: null, session: "ps_1" });
  at += 5_400_000;
  expect(readVisit(ctx, token, cookie)).toEqual(noVisit);
});

const named = (value: string, of = token) => `${cookieOf(visitCookie(ctx, of, noVisit)).split("=")[0]}=${value}`;
const sealedFor = (of: string) => cookieOf(visitCookie(ctx, of, visit())).split("=")[1] ?? "";
test.each([
  ["there is none", () => undefined],
  ["it is empty", () => ""],
  ["it is another link's, under this link's name", () => named(sealedFor("pl_test_other"))],
  [
    "it was sealed with another key",
    () => {
      const masterKeys = readMasterKeys(`1:${"ab".repeat(32)}`);
      return cookieOf(visitCookie({ ...ctx, masterKeys }, token, visit()));
    },
  ],
  ["it isn't sealed", () => named(Buffer.from(JSON.stringify({ ...visit(), made_ms: at })).toString("base64url"))],
  ["a byte of it was changed", () => named(changeOne(sealedFor(token)))],
  ["it is very long", () => named("v1.1.".padEnd(100_000, "A"))],
])("nothing is trusted if %s", (_what, cookie) => {
  expect(readVisit(ctx, token, cookie())).toEqual(noVisit);
});
