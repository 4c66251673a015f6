import { expect, test } from "vitest";
import { bodyOf, changesOf, givenOf } from "./key-fields.tsx";
import { keyWords } from "./keys.words.ts";

const key = {
  name: "Shop",
  permissions: ["orders:read"],
  allowed_ips: ["203.0.113.7"],
  receiving_account: null,
  expires_at: "2026-12-31T10:00:00.000Z",
};

test.each(["Asia/Shanghai", "America/Los_Angeles"])("changing a key's name in %s leaves its expiry and the rest alone", (zone) => {
  const before = givenOf(key, zone);
  expect(changesOf({ ...before, name: "Till" }, before, zone)).toEqual({ name: "Till" });
  expect(changesOf(before, before, zone)).toEqual({});
});

test("a date that a person chooses ends at midnight in the zone, and no date is no expiry", () => {
  const before = givenOf(key, "Asia/Shanghai");
  expect(changesOf({ ...before, until: "2027-01-05" }, before, "Asia/Shanghai")).toEqual({ expires_at: "2027-01-05T15:59:59.999Z" });
  expect(changesOf({ ...before, until: "" }, before, "Asia/Shanghai")).toEqual({ expires_at: null });
  expect(bodyOf(before, "Asia/Shanghai").expires_at).toBe("2026-12-31T15:59:59.999Z");
});

test("other permissions are sent whole", () => {
  const before = givenOf(key, undefined);
  expect(changesOf({ ...before, preset: "own", own: ["orders:read", "events:read"], ips: "" }, before)).toEqual({
    permissions: ["orders:read", "events:read"],
    allowed_ips: [],
  });
});

test("the preset for shop and messages, which doesn't have every permission, isn't named as if it had", () => {
  expect([keyWords.en.presets.all, keyWords.zh.presets.all]).toEqual(["Shop and messages", "商店和消息"]);
});
